/** What the operator has typed and not saved, by the name of the setting. */
import { useEffect, useState } from 'react';
import type { SettingChange, SettingReply } from '#domain/operator/console/settings-contract.ts';
import { categoriesIn } from '#domain/inventory/categories.ts';
import { readPrice } from '#domain/price-input.ts';
import { CURRENCY } from '#web/ui/format/format.ts';
import { useDraftKey } from '#web/ui/forms/drafts.ts';

/** `value` is null for the default, and `version` that of the setting when the operator changed it. */
export type Edit = { value: string | null; version: string };
export type Edits = Readonly<Record<string, Edit>>;

/** The value that the field shows: what was typed, or what is in force. */
export function shownValue(setting: SettingReply, edit: Edit | undefined): string {
  if (edit === undefined) return setting.value ?? '';
  return edit.value ?? setting.fallback ?? '';
}

/** The value that is sent. An empty field means the default. */
function sentValue({ input }: SettingReply, { value }: Edit): string | null {
  const text = value?.trim() ?? '';
  if (text === '') return null;
  if (input === 'amount') return readPrice(text, CURRENCY) ?? text;
  return input === 'percent' ? text.replace(/\s*%$/, '').replace(',', '.') : text;
}

/** Whether saving the edit would change the setting. */
function isChange(setting: SettingReply, edit: Edit): boolean {
  const sent = sentValue(setting, edit);
  if (setting.source === 'default') return sent !== null && sent !== setting.value;
  return sent !== setting.value;
}

/** The changes in the order of the page. */
export function changesOf(settings: readonly SettingReply[], edits: Edits): SettingChange[] {
  return settings.flatMap((setting) => {
    const edit = edits[setting.name];
    return edit !== undefined && isChange(setting, edit)
      ? [{ name: setting.name, version: edit.version, value: sentValue(setting, edit) }]
      : [];
  });
}

/** The changes that put back what was in force before these, with the versions of the settings as they are now. */
export function reverseOf(
  changes: readonly SettingChange[],
  before: readonly SettingReply[],
  now: readonly SettingReply[],
): SettingChange[] {
  return changes.flatMap(({ name, value }) => {
    const [was, is] = [before, now].map((list) => list.find((each) => each.name === name));
    if (!was || !is) return [];
    const text = was.source === 'database' ? was.value : null;
    return [{ name, version: is.version, value: name === 'CATEGORIES' ? renamedBack(value, was) : text }];
  });
}

/** A renamed category has its former name again, also on its websites. */
function renamedBack(value: string | null, { value: before, source }: SettingReply): string | null {
  const list = categoriesIn(value ?? '');
  const renames = 'problem' in list ? [] : list.renames;
  if (renames.length === 0) return source === 'database' ? before : null;
  return (before ?? '')
    .split(', ')
    .map((name) => {
      const rename = renames.find(({ from }) => from === name);
      return rename ? `${rename.to}=${name}` : name;
    })
    .join(', ');
}

/** Edits that survive a lost session, a reload and a visit to other pages in this tab. */
export function useEdits(): [Edits, (change: (before: Edits) => Edits) => void] {
  const key = useDraftKey()('settings');
  const [edits, setEdits] = useState<Edits>(() => storedEdits(key));
  useEffect(() => {
    if (Object.keys(edits).length === 0) sessionStorage.removeItem(key);
    else
      try {
        sessionStorage.setItem(key, JSON.stringify(edits));
      } catch {
        // The tab's storage is full. The page still works, but a reload would lose what was typed.
      }
  }, [key, edits]);
  return [edits, setEdits];
}

function storedEdits(key: string): Edits {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as Edits;
  } catch {
    return {};
  }
}

/** Without the edits of these settings. */
export function withoutEdits(edits: Edits, names: readonly string[]): Edits {
  return Object.fromEntries(Object.entries(edits).filter(([name]) => !names.includes(name)));
}
