import { afterEach, expect, it, vi } from 'vitest';
import { canStore, browserItem, tabItem } from './storage';

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

function full(): void {
  const old = localStorage;
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => old.getItem(key),
    removeItem: (key: string) => old.removeItem(key),
    setItem() {
      throw new DOMException('full', 'QuotaExceededError');
    },
  });
}

it('a browser that stores is told from one that throws, and from one that forgets', () => {
  expect(canStore()).toBe(true);
  expect(localStorage.length).toBe(0);
  expect(canStore(() => {
    throw new DOMException('denied', 'SecurityError');
  })).toBe(false);
  expect(canStore(() => ({ setItem() {}, getItem: () => null, removeItem() {} }) as unknown as Storage)).toBe(false);
  full();
  expect(canStore()).toBe(false);
});

it('what a full storage does not take is remembered by the page, in place of what it held before', () => {
  const one = browserItem('one');
  one.set('old');
  full();
  one.set('new');
  expect(one.get()).toBe('new');
  one.clear();
  expect(one.get()).toBeUndefined();
});

it('a frame that has a name is a tab of its own', () => {
  tabItem('me').set('tab');
  window.name = 'seat-2';
  expect(tabItem('me').get()).toBeUndefined();
  tabItem('me').set('2');
  window.name = '';
  expect(tabItem('me').get()).toBe('tab');
  sessionStorage.clear();
});
