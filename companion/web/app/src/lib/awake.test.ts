import { describe, expect, it, vi } from 'vitest';
import { awake } from './awake';

const settle = () => new Promise((done) => setTimeout(done));

describe('the screen', () => {
  it('stays on until the game is over', async () => {
    const release = vi.fn().mockResolvedValue(undefined);
    const request = vi.fn().mockResolvedValue({ release });
    const stop = awake({ request });
    expect(request).toHaveBeenCalledWith('screen');
    document.dispatchEvent(new Event('visibilitychange')); // the browser has taken the lock back meanwhile
    expect(request).toHaveBeenCalledTimes(2);
    stop();
    await settle();
    expect(release).toHaveBeenCalledTimes(1);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(request).toHaveBeenCalledTimes(2);
  });
  it('may sleep where the browser cannot or will not', async () => {
    awake(undefined)();
    const stop = awake({ request: vi.fn().mockRejectedValue(new Error('low battery')) });
    await settle();
    expect(stop).not.toThrow();
  });
});
