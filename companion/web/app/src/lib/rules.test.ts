import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import en from '../../../../../engine/words/rules.en.json';
import fr from '../../../../../engine/words/rules.fr.json';
import RuleButton from './RuleButton.svelte';
import { ruleText } from './rules';
import { addSpaces } from './words';

afterEach(cleanup);

describe('the text of a rule', () => {
  it('stands in both languages', async () => {
    expect(await ruleText('HC-050', 'en')).toBe(en['HC-050']);
    expect(await ruleText('HC-050', 'fr')).toBe(addSpaces('fr', fr['HC-050']));
  });
  it('is missing for what is no rule', async () => {
    expect(await ruleText('HC-999', 'en')).toBeUndefined();
    expect(await ruleText('toString', 'en')).toBeUndefined();
  });
  it('is asked for again after the daemon did not answer', async () => {
    vi.resetModules();
    const fresh = await import('./rules');
    await expect(fresh.ruleText('HC-050', 'en', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await fresh.ruleText('HC-050', 'en')).toBe(en['HC-050']);
  });
  it('never breaks a line before a French sign', () => {
    expect(addSpaces('fr', 'Anne : « Oui » ; non ? Si !')).toBe('Anne\u00a0: «\u00a0Oui\u00a0»\u202f; non\u202f? Si\u202f!');
    expect(addSpaces('en', 'Anne: “yes”?')).toBe('Anne: “yes”?');
  });
});

describe('a rule button', () => {
  const open = () => fireEvent.click(screen.getByRole('button', { name: 'Why? (rule HC-050)' }));
  it('opens a sheet with the text, and closes it', async () => {
    render(RuleButton, { id: 'HC-050', lang: 'en' });
    expect(screen.queryByRole('dialog')).toBeNull();
    await open();
    const sheet = screen.getByRole('dialog', { name: 'Why? (rule HC-050)' }) as HTMLDialogElement;
    expect(sheet.open).toBe(true);
    await waitFor(() => expect(sheet.textContent).toContain(en['HC-050']));
    await fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });
  it('is a question mark to who looks; the number of the rule stands in the sheet', async () => {
    render(RuleButton, { id: 'HC-050', lang: 'en' });
    const key = screen.getByRole('button');
    expect(key.textContent?.trim()).toBe('?');
    expect(document.body.textContent).not.toContain('HC-050');
    await fireEvent.click(key);
    expect(screen.getByRole('dialog').textContent).toContain('HC-050');
  });
  it('closes by a tap beside the sheet, not by one on it', async () => {
    render(RuleButton, { id: 'HC-050', lang: 'en' });
    await open();
    await fireEvent.click(screen.getByRole('heading'));
    await fireEvent.click(screen.getByRole('dialog'));
    expect(screen.queryByRole('dialog')).toBeNull();
  });
  it('closes when the phone is put away', async () => {
    render(RuleButton, { id: 'HC-050', lang: 'en' });
    await open();
    await fireEvent(window, new Event('pagehide'));
    expect(screen.queryByRole('dialog')).toBeNull();
  });
  it('says so when there is no text', async () => {
    render(RuleButton, { id: 'XX-001', lang: 'en' });
    await fireEvent.click(screen.getByRole('button', { name: 'Why? (rule XX-001)' }));
    await screen.findByText('There is no explanation for this rule.');
  });
});
