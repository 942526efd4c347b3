import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { names } from '../dev/fixtures';
import { hostUpdate } from '../dev/hosts';
import { language } from '../lib/language.svelte';
import type { Person, Staff, Update } from '../lib/wire';
import Console from './Console.svelte';

beforeEach(() => {
  language.lang = 'en';
  language.learnNames(names);
});
afterEach(cleanup);

const people: Person[] = [{ id: 1, name: 'Odile', role: 'owner' }, { id: 2, name: 'Otto', role: 'operator' }];
const page = { state: { is: 'idle' as const }, ondismiss: () => {} };
const name = (key: Parameters<typeof language.t>[0], blanks = {}): { name: string } => ({ name: language.t(key, blanks) });

function table(staff?: Staff): Update {
  const u = hostUpdate('lobby');
  if (staff) u.staff = staff;
  if (staff && !staff.me) { // as the daemon sends it
    delete u.desk;
    u.view.offers = [{ act: 'alarm', rule: 'GEN-001', aside: true }];
  }
  return u;
}

it('asks a locked device for a person and a PIN, and shows no more', async () => {
  const onact = vi.fn();
  const { rerender } = render(Console, { update: table({ people }), onact, ...page });
  await fireEvent.click(await screen.findByRole('button', { name: /^Otto/ }));
  const enter = screen.getByRole<HTMLButtonElement>('button', name('host.staff.open'));
  const pin = screen.getByLabelText<HTMLInputElement>(language.t('host.staff.pin.own'));
  expect(pin.type).toBe('password');
  await fireEvent.input(pin, { target: { value: '31x4' } });
  expect(enter.disabled).toBe(true);
  await fireEvent.input(pin, { target: { value: '31415926' } });
  await fireEvent.click(enter);
  expect(onact).toHaveBeenLastCalledWith('sign-in', { id: '2', pin: '31415926' });
  expect(pin.value).toBe('');
  pin.blur(); // a key that is off loses the focus
  const why = { code: 'not-you', rule: 'GEN-011', why: { k: 'table.staff.wrong' } };
  await rerender({ update: table({ people }), state: { is: 'refused', act: 'sign-in', reject: why } as never });
  expect(screen.getAllByText(language.t('table.staff.wrong'))).toHaveLength(1);
  expect(document.activeElement).toBe(pin); // to try again
  await fireEvent.click(screen.getByRole('button', name('host.bar.alarm')));
  expect(onact).toHaveBeenLastCalledWith('alarm', {});
  expect(screen.queryByRole('button', name('host.staff'))).toBeNull();
  expect(screen.queryByText(language.t('host.figures.open'))).toBeNull();
});

it('counts the wait after wrong PINs down, and is free when it is over', async () => {
  const onact = vi.fn();
  const update = table({ people });
  const { rerender } = render(Console, { update, onact, ...page });
  await fireEvent.click(await screen.findByRole('button', { name: /^Otto/ }));
  const enter = screen.getByRole<HTMLButtonElement>('button', name('host.staff.open'));
  const pin = screen.getByLabelText<HTMLInputElement>(language.t('host.staff.pin.own'));
  const write = () => fireEvent.input(pin, { target: { value: '8642' } });
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  try {
    await write();
    await fireEvent.click(enter);
    const why = { code: 'not-now', rule: 'GEN-011', why: { k: 'table.staff.wait', a: { n: '5' } } };
    await rerender({ update, state: { is: 'refused', act: 'sign-in', reject: why } as never });
    await write();
    const says = () => screen.queryByRole('timer')?.textContent;
    expect([says(), enter.disabled]).toEqual([language.t('table.staff.wait', { n: 5 }), true]);
    pin.blur();
    await vi.advanceTimersByTimeAsync(3_250);
    await tick();
    expect([says(), enter.disabled]).toEqual([language.t('table.staff.wait', { n: 2 }), true]);
    expect(document.activeElement).not.toBe(pin); // the focus is not taken each second
    await fireEvent.submit(pin.form!);
    expect(onact).toHaveBeenCalledTimes(1);
    await fireEvent.click(screen.getByRole('button', { name: /^Odile/ })); // another account may be free
    await write();
    expect([says(), enter.disabled]).toEqual([undefined, false]);
    await fireEvent.click(screen.getByRole('button', { name: /^Otto/ }));
    await write();
    expect(enter.disabled).toBe(true);
    await vi.advanceTimersByTimeAsync(2_000);
    await tick();
    expect([says(), enter.disabled, vi.getTimerCount()]).toEqual([undefined, false, 0]);
    await fireEvent.click(enter);
    expect(onact).toHaveBeenCalledTimes(2);
  } finally {
    vi.useRealTimers();
  }
});

it('says a long wait in minutes, at the door and where the own PIN is changed', async () => {
  const onact = vi.fn();
  const wait = (n: string) => ({ code: 'not-now', rule: 'GEN-011', why: { k: 'table.staff.wait', a: { n } } });
  const { rerender } = render(Console, { update: table({ people }), onact, ...page });
  await fireEvent.click(await screen.findByRole('button', { name: /^Otto/ }));
  await fireEvent.input(screen.getByLabelText(language.t('host.staff.pin.own')), { target: { value: '31415926' } });
  await fireEvent.click(screen.getByRole('button', name('host.staff.open')));
  for (const [n, says] of [['900', 'wait 15 min.'], ['91', 'wait 2 min.'], ['90', 'wait 90 s.']] as const) {
    await rerender({ update: table({ people }), state: { is: 'refused', act: 'sign-in', reject: wait(n) } as never });
    expect(screen.getByRole('timer').textContent).toContain(says);
  }
  await rerender({ update: table({ me: people[1]! }), state: { is: 'idle' } as never });
  await fireEvent.click(screen.getByRole('button', name('host.staff.own')));
  await rerender({ update: table({ me: people[1]! }), state: { is: 'refused', act: 'own-pin', reject: wait('900') } as never });
  expect(screen.getByRole('timer').textContent).toContain('wait 15 min.');
});

it('changes the person with one tap, and shows accounts to an owner alone', async () => {
  const onact = vi.fn();
  const { rerender } = render(Console, { update: table({ me: people[1]! }), onact, ...page });
  expect(screen.queryByRole('button', name('host.staff'))).toBeNull();
  await fireEvent.click(screen.getByRole('button', name('host.staff.leave', { name: 'Otto', role: 'operator' })));
  expect(onact).toHaveBeenLastCalledWith('sign-out', {});
  await rerender({ update: table({ me: people[0]!, people }), onact, ...page });
  await fireEvent.click(screen.getByRole('button', name('host.staff')));
  await fireEvent.click(screen.getByRole('button', name('host.staff.change', { name: 'Odile' })));
  expect(screen.queryByLabelText(language.t('host.staff.pin.new'))).toBeNull(); // one's own takes the present one
  expect(screen.getByText(language.t('table.staff.own'))).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', name('host.staff.keep')));
  expect(onact).toHaveBeenLastCalledWith('staff', { id: '1', name: 'Odile', role: 'owner', pin: '' });
  await fireEvent.click(screen.getByRole('button', name('ui.host.close')));
  await fireEvent.click(screen.getByRole('button', name('host.staff.change', { name: 'Otto' })));
  expect(screen.getByLabelText(language.t('host.staff.pin.new'))).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', name('host.act.staff-drop')));
  await fireEvent.click(screen.getByRole('button', name('ui.host.yes', { act: language.t('host.act.staff-drop') })));
  expect(onact).toHaveBeenLastCalledWith('staff-drop', { id: '2' });
});

it('makes the first account an owner’s, keeps what was refused, and says nothing of accounts before', async () => {
  const onact = vi.fn();
  const { rerender } = render(Console, { update: table(), onact, ...page });
  await fireEvent.click(screen.getByRole('button', name('host.staff')));
  expect(screen.queryByRole('group', name('host.staff.role'))).toBeNull();
  const field = screen.getByLabelText<HTMLInputElement>(language.t('host.staff.name'));
  await fireEvent.input(field, { target: { value: ' Odile ' } });
  const add = screen.getByRole<HTMLButtonElement>('button', name('host.staff.add'));
  expect(add.disabled).toBe(true);
  await fireEvent.click(screen.getByRole('button', name('host.staff.draw')));
  const pin = screen.getByLabelText<HTMLInputElement>(language.t('host.staff.pin'));
  expect(pin.value).toMatch(/^[0-9]{6}$/);
  await fireEvent.click(add);
  expect(onact).toHaveBeenLastCalledWith('staff', { name: 'Odile', role: 'owner', pin: pin.value });
  const why = { code: 'unknown', rule: 'GEN-011', why: { k: 'table.staff.plain' } };
  await rerender({ update: table(), state: { is: 'busy', act: 'staff' } as never });
  await rerender({ update: table(), state: { is: 'refused', act: 'staff', reject: why } as never });
  expect(screen.getAllByText(language.t('table.staff.plain'))).toHaveLength(1);
  expect(field.value).toBe(' Odile ');
});

it('says whose account was removed, and has room for a new one', async () => {
  const onact = vi.fn();
  const { rerender } = render(Console, { update: table({ me: people[1]! }), onact, ...page });
  await rerender({ update: table({ people: people.slice(0, 1) }), onact, ...page });
  expect(await screen.findByText(language.t('host.staff.gone', { name: 'Otto' }))).toBeTruthy();
  await rerender({ update: table({ me: people[0]!, people }), onact, ...page });
  await fireEvent.click(screen.getByRole('button', name('host.staff')));
  await fireEvent.click(screen.getByRole('button', name('host.staff.change', { name: 'Otto' })));
  expect(screen.queryByText(language.t('host.staff.new'))).toBeNull();
  await rerender({ update: table({ me: people[0]!, people: people.slice(0, 1) }), onact, ...page });
  expect(screen.getByText(language.t('host.staff.new'))).toBeTruthy();
  await rerender({ update: table({ people: people.slice(0, 1) }), onact, ...page });
  expect(screen.queryByText(language.t('host.staff.gone', { name: 'Odile' }))).toBeNull();
});

it('changes the own PIN by the present one and the new one twice, for any role', async () => {
  const onact = vi.fn();
  const update = table({ me: people[1]! });
  const { rerender } = render(Console, { update, onact, ...page });
  const own = () => screen.getByRole('button', name('host.staff.own'));
  await fireEvent.click(own());
  const field = (key: Parameters<typeof language.t>[0]) => screen.getByLabelText<HTMLInputElement>(language.t(key));
  const [present, next, twice] = [field('host.staff.pin.present'), field('host.staff.pin.next'), field('host.staff.pin.twice')];
  const keep = screen.getByRole<HTMLButtonElement>('button', name('host.staff.keep'));
  const write = (f: HTMLInputElement, value: string) => fireEvent.input(f, { target: { value } });
  await write(present, '31415926');
  await write(next, '86x42');
  await write(twice, '8624');
  expect([keep.disabled, next.value, present.type, next.type, twice.type]).toEqual([true, '8642', 'password', 'password', 'password']);
  expect(screen.getByText(language.t('host.staff.own.differ'))).toBeTruthy();
  await write(twice, '8642');
  expect(screen.queryByText(language.t('host.staff.own.differ'))).toBeNull();
  await fireEvent.click(keep);
  expect(onact).toHaveBeenLastCalledWith('own-pin', { pin: '31415926', new: '8642' });
  const why = { code: 'not-you', rule: 'GEN-011', why: { k: 'table.staff.wrong' } };
  expect(present.value).toBe('');
  await rerender({ update, state: { is: 'busy', act: 'own-pin' } as never });
  await write(present, '3'); // before the answer
  await rerender({ update, state: { is: 'refused', act: 'own-pin', reject: why } as never });
  expect(screen.getAllByText(language.t('table.staff.wrong'))).toHaveLength(1);
  expect([present.value, next.value]).toEqual(['3', '8642']);
  await write(present, '31415926');
  const wait = { code: 'not-now', rule: 'GEN-011', why: { k: 'table.staff.wait', a: { n: '5' } } };
  await rerender({ update, state: { is: 'refused', act: 'own-pin', reject: wait } as never });
  expect([screen.getByRole('timer').textContent, keep.disabled]).toEqual([language.t('table.staff.wait', { n: 5 }), true]);
  await rerender({ update, state: { is: 'busy', act: 'own-pin' } as never });
  await rerender({ update, state: { is: 'idle' } as never });
  expect(screen.getByText(language.t('host.staff.own.done'))).toBeTruthy();
  await fireEvent.click(own());
  expect(field('host.staff.pin.present').value + field('host.staff.pin.next').value).toBe('');
  await rerender({ update: table(), ...page });
  expect(screen.queryByRole('button', name('host.staff.own'))).toBeNull();
});

it('tells which device tries whose PIN, at a locked one too, and the first cuts it off at a second tap', async () => {
  const onact = vi.fn();
  const update = table({ people, tried: [{ device: 2, kind: 'ipad', wrong: 7, names: ['Odile', 'Otto'] }, { device: 1, wrong: 3, names: ['Odile'] }] });
  const end = { act: 'host-end', rule: 'GEN-011', aside: true, grave: true, fixed: { device: '2' } };
  update.view.offers.push(end);
  const { rerender } = render(Console, { update, onact, ...page });
  expect(await screen.findByText(/^Device 2 · iPad\. 7 wrong PINs in a row, for: Odile, Otto\./)).toBeTruthy();
  expect(screen.getByText(/sudo majordome host --new/)).toBeTruthy();
  const cut = screen.getByRole('button', { name: `${language.t('host.device.end')} : Device 2` });
  await fireEvent.click(cut);
  expect(onact).not.toHaveBeenCalled();
  await fireEvent.click(cut);
  expect(onact).toHaveBeenLastCalledWith('host-end', { device: '2' });
  await rerender({ update, number: 3, onact, ...page });
  expect(screen.queryByRole('button', { name: `${language.t('host.device.end')} : Device 2` })).toBeNull();
  expect(screen.getByText(new RegExp(language.t('host.tried.first')))).toBeTruthy();
});
