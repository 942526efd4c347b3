import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { names } from '../dev/fixtures';
import { hostUpdate } from '../dev/hosts';
import { type Row, sampleOffice } from '../dev/office';
import Console from '../host/Console.svelte';
import { language } from '../lib/language.svelte';
import type { Args, Person, Staff, Update } from '../lib/wire';

beforeEach(() => {
  language.lang = 'en';
  language.learnNames(names);
});
afterEach(cleanup);

const people: Person[] = [{ id: 1, name: 'Odile', role: 'owner' }, { id: 2, name: 'Otto', role: 'operator' }];
const page = { state: { is: 'idle' as const }, ondismiss: () => {} };
const name = (key: Parameters<typeof language.t>[0], blanks = {}): { name: string } => ({ name: language.t(key, blanks) });
const done = () => null;
const wait = (n: string) => new Error('table.staff.wait', { cause: { n } });

/** The props of the page of a table with these accounts; does replaces rows, which otherwise do nothing. */
function table(staff: Staff, does: Record<string, Row> = {}, asked: (row: string, args: Args) => void = () => {}) {
  const u = hostUpdate('lobby');
  if (staff.people && !staff.me) { // as the daemon sends it
    delete u.desk;
    u.view.offers = [{ act: 'alarm', rule: 'GEN-001', aside: true }];
  }
  const owner = !staff.people && !staff.me || staff.me?.role === 'owner';
  const rows = {
    people: staff,
    'sign-in': done,
    'sign-out': done,
    here: done,
    'own-pin': done,
    ...(owner ? { 'people-set': done, 'people-drop': done } : {}),
  };
  return { ...page, update: u, office: sampleOffice({ ...rows, ...does }, asked) };
}

it('asks a locked device for a person and a PIN, and shows no more', async () => {
  const onact = vi.fn();
  const asked = vi.fn();
  render(Console, { ...table({ people }, { 'sign-in': () => new Error('table.staff.wrong') }, asked), onact });
  await fireEvent.click(await screen.findByRole('button', { name: /^Otto/ }));
  const enter = screen.getByRole<HTMLButtonElement>('button', name('host.staff.open'));
  const pin = screen.getByLabelText<HTMLInputElement>(language.t('host.staff.pin.own'));
  expect(pin.type).toBe('password');
  await fireEvent.input(pin, { target: { value: '31x4' } });
  expect(enter.disabled).toBe(true);
  await fireEvent.input(pin, { target: { value: '31415926' } });
  pin.blur(); // a key that is off loses the focus
  await fireEvent.click(enter);
  expect(asked).toHaveBeenLastCalledWith('sign-in', { id: '2', pin: '31415926' });
  expect(pin.value).toBe('');
  expect(await screen.findAllByText(language.t('table.staff.wrong'))).toHaveLength(1);
  expect(document.activeElement).toBe(pin); // to try again
  await fireEvent.click(screen.getByRole('button', name('host.bar.alarm')));
  expect(onact).toHaveBeenLastCalledWith('alarm', {});
  expect(asked).toHaveBeenCalledTimes(1);
  expect(screen.queryByRole('button', name('host.staff'))).toBeNull();
  expect(screen.queryByText(language.t('host.figures.open'))).toBeNull();
});

it('shows nothing of the table to a locked device before it knows who may sign in', async () => {
  const { update, office, state } = table({ people });
  office.rows = [];
  render(Console, { update, office, state, onact: () => {}, ondismiss: () => {} });
  await tick();
  expect(screen.queryByText(language.t('host.staff.who'))).toBeNull();
  expect(screen.queryByText(language.t('host.step.phones'))).toBeNull();
  office.rows = ['people', 'sign-in'];
  expect(await screen.findByText(language.t('host.staff.who'))).toBeTruthy();
});

it('counts the wait after wrong PINs down, and is free when it is over', async () => {
  const asked = vi.fn();
  render(Console, { ...table({ people }, { 'sign-in': () => wait('5') }, asked), onact: () => {} });
  await fireEvent.click(await screen.findByRole('button', { name: /^Otto/ }));
  const enter = screen.getByRole<HTMLButtonElement>('button', name('host.staff.open'));
  const pin = screen.getByLabelText<HTMLInputElement>(language.t('host.staff.pin.own'));
  const write = () => fireEvent.input(pin, { target: { value: '8642' } });
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  try {
    await write();
    await fireEvent.click(enter);
    await screen.findByRole('timer');
    await write();
    const says = () => screen.queryByRole('timer')?.textContent;
    expect([says(), enter.disabled]).toEqual([language.t('table.staff.wait', { n: 5 }), true]);
    pin.blur();
    await vi.advanceTimersByTimeAsync(3_250);
    await tick();
    expect([says(), enter.disabled]).toEqual([language.t('table.staff.wait', { n: 2 }), true]);
    expect(document.activeElement).not.toBe(pin); // the focus is not taken each second
    await fireEvent.submit(pin.form!);
    expect(asked).toHaveBeenCalledTimes(1);
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
    expect(asked).toHaveBeenCalledTimes(2);
  } finally {
    vi.useRealTimers();
  }
});

it('says a long wait in minutes, at the door and where the own PIN is changed', async () => {
  for (const [n, says] of [['900', 'wait 15 min.'], ['91', 'wait 2 min.'], ['90', 'wait 90 s.']] as const) {
    const { unmount } = render(Console, { ...table({ people }, { 'sign-in': () => wait(n) }), onact: () => {} });
    await fireEvent.click(await screen.findByRole('button', { name: /^Otto/ }));
    await fireEvent.input(screen.getByLabelText(language.t('host.staff.pin.own')), { target: { value: '31415926' } });
    await fireEvent.click(screen.getByRole('button', name('host.staff.open')));
    expect((await screen.findByRole('timer')).textContent).toContain(says);
    unmount();
  }
  render(Console, { ...table({ me: people[1]! }, { 'own-pin': () => wait('900') }), onact: () => {} });
  await fireEvent.click(await screen.findByRole('button', name('host.staff.own')));
  for (const key of ['host.staff.pin.present', 'host.staff.pin.next', 'host.staff.pin.twice'] as const) {
    await fireEvent.input(screen.getByLabelText(language.t(key)), { target: { value: '31415926' } });
  }
  await fireEvent.click(screen.getByRole('button', name('host.staff.keep')));
  expect((await screen.findByRole('timer')).textContent).toContain('wait 15 min.');
});

it('changes the person with one tap, and shows accounts to an owner alone', async () => {
  const asked = vi.fn();
  const { rerender } = render(Console, { ...table({ me: people[1]! }, {}, asked), onact: () => {} });
  await fireEvent.click(await screen.findByRole('button', name('host.staff.leave', { name: 'Otto', role: 'operator' })));
  expect(asked.mock.calls).toEqual([['sign-out', {}]]);
  expect(screen.queryByRole('button', name('host.staff'))).toBeNull();
  await rerender(table({ me: people[0]!, people }, {}, asked));
  await fireEvent.click(await screen.findByRole('button', name('host.staff')));
  await fireEvent.click(await screen.findByRole('button', name('host.staff.change', { name: 'Odile' })));
  expect(screen.queryByLabelText(language.t('host.staff.pin.new'))).toBeNull(); // a change of one's own PIN needs the present one
  expect(screen.getByText(language.t('table.staff.own'))).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', name('host.staff.keep')));
  expect(asked).toHaveBeenLastCalledWith('people-set', { id: '1', name: 'Odile', role: 'owner', pin: '' });
  await fireEvent.click(await screen.findByRole('button', name('host.staff.change', { name: 'Otto' })));
  expect(screen.getByLabelText(language.t('host.staff.pin.new'))).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', name('host.act.staff-drop')));
  await fireEvent.click(screen.getByRole('button', name('ui.host.yes', { act: language.t('host.act.staff-drop') })));
  expect(asked).toHaveBeenLastCalledWith('people-drop', { id: '2' });
});

it('tells that a device is used, a few times before it would lock itself', async () => {
  const asked = vi.fn();
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    render(Console, { ...table({ me: people[1]!, idle: 600 }, {}, asked), onact: () => {} });
    const who = await screen.findByRole('button', name('host.staff.leave', { name: 'Otto', role: 'operator' }));
    await fireEvent.pointerDown(who);
    expect(asked).not.toHaveBeenCalled();
    vi.setSystemTime(Date.now() + 150_000);
    await fireEvent.pointerDown(who);
    await fireEvent.pointerDown(who);
    expect(asked.mock.calls).toEqual([['here', {}]]);
  } finally {
    vi.useRealTimers();
  }
});

it('makes the first account an owner’s, keeps what was refused, and says nothing of accounts before', async () => {
  const asked = vi.fn();
  render(Console, { ...table({}, { 'people-set': () => new Error('table.staff.plain') }, asked), onact: () => {} });
  await fireEvent.click(await screen.findByRole('button', name('host.staff')));
  expect(screen.queryByRole('group', name('host.staff.role'))).toBeNull();
  const field = screen.getByLabelText<HTMLInputElement>(language.t('host.staff.name'));
  await fireEvent.input(field, { target: { value: ' Odile ' } });
  const add = screen.getByRole<HTMLButtonElement>('button', name('host.staff.add'));
  expect(add.disabled).toBe(true);
  await fireEvent.click(screen.getByRole('button', name('host.staff.draw')));
  const pin = screen.getByLabelText<HTMLInputElement>(language.t('host.staff.pin'));
  expect(pin.value).toMatch(/^[0-9]{6}$/);
  await fireEvent.click(add);
  expect(asked).toHaveBeenLastCalledWith('people-set', { name: 'Odile', role: 'owner', pin: pin.value });
  expect(await screen.findAllByText(language.t('table.staff.plain'))).toHaveLength(1);
  expect(field.value).toBe(' Odile ');
});

it('says whose account was removed, and has room for a new one', async () => {
  const { rerender } = render(Console, { ...table({ me: people[1]! }), onact: () => {} });
  await screen.findByRole('button', name('host.staff.leave', { name: 'Otto', role: 'operator' }));
  await rerender(table({ people: people.slice(0, 1) }));
  expect(await screen.findByText(language.t('host.staff.gone', { name: 'Otto' }))).toBeTruthy();
  await rerender(table({ me: people[0]!, people }));
  await fireEvent.click(await screen.findByRole('button', name('host.staff')));
  await fireEvent.click(screen.getByRole('button', name('host.staff.change', { name: 'Otto' })));
  expect(screen.queryByText(language.t('host.staff.new'))).toBeNull();
  await rerender(table({ me: people[0]!, people: people.slice(0, 1) }));
  expect(await screen.findByText(language.t('host.staff.new'))).toBeTruthy();
  await rerender(table({ people: people.slice(0, 1) }));
  expect(await screen.findByText(language.t('host.staff.who'))).toBeTruthy();
  expect(screen.queryByText(language.t('host.staff.gone', { name: 'Odile' }))).toBeNull();
});

it('changes the own PIN by the present one and the new one twice, for any role', async () => {
  const asked = vi.fn();
  let does: () => unknown = () => new Error('table.staff.wrong');
  const { rerender } = render(Console, { ...table({ me: people[1]! }, { 'own-pin': () => does() }, asked), onact: () => {} });
  const own = () => screen.findByRole('button', name('host.staff.own'));
  await fireEvent.click(await own());
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
  expect(asked).toHaveBeenLastCalledWith('own-pin', { pin: '31415926', new: '8642' });
  expect(present.value).toBe('');
  await write(present, '3'); // before the page has shown the answer
  expect(await screen.findAllByText(language.t('table.staff.wrong'))).toHaveLength(1);
  expect([present.value, next.value]).toEqual(['3', '8642']);
  await write(present, '31415926');
  does = done;
  await fireEvent.click(keep);
  expect(await screen.findByText(language.t('host.staff.own.done'))).toBeTruthy();
  await fireEvent.click(await own());
  expect(field('host.staff.pin.present').value + field('host.staff.pin.next').value).toBe('');
  await rerender(table({}));
  await waitFor(() => expect(screen.queryByRole('button', name('host.staff.own'))).toBeNull());
});

it('tells which device tries whose PIN, at a locked one too, and the first cuts it off at a second tap', async () => {
  const onact = vi.fn();
  const locked = table({
    people,
    tried: [{ device: 2, kind: 'ipad', wrong: 7, names: ['Odile', 'Otto'] }, { device: 1, wrong: 3, names: ['Odile'] }],
  });
  const update: Update = locked.update;
  const end = { act: 'host-end', rule: 'GEN-011', aside: true, grave: true, fixed: { device: '2' } };
  update.view.offers.push(end);
  const { rerender } = render(Console, { ...locked, onact });
  expect(await screen.findByText(/^Device 2 · iPad\. 7 wrong PINs in a row, for: Odile, Otto\./)).toBeTruthy();
  expect(screen.getByText(/sudo majordome host --new/)).toBeTruthy();
  const cut = screen.getByRole('button', { name: `${language.t('host.device.end')} : Device 2` });
  await fireEvent.click(cut);
  expect(onact).not.toHaveBeenCalled();
  await fireEvent.click(cut);
  expect(onact).toHaveBeenLastCalledWith('host-end', { device: '2' });
  await rerender({ ...locked, number: 3, onact });
  expect(screen.queryByRole('button', { name: `${language.t('host.device.end')} : Device 2` })).toBeNull();
  expect(screen.getByText(new RegExp(language.t('host.tried.first')))).toBeTruthy();
});
