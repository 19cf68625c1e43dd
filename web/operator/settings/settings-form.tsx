import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { Link } from 'wouter';
import {
  SETTING_GROUPS,
  type SettingChange,
  type SettingGroup,
  type SettingReply,
} from '#domain/operator/console/settings-contract.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { cn } from '#web/ui/cn.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { refreshConsole } from '../parts/act-sheet.tsx';
import { useHash } from './address.ts';
import { BrandPreview } from './brand-preview.tsx';
import { changesOf, type Edits, useEdits, withoutEdits } from './edits.ts';
import { LeaveDialog } from './leave-dialog.tsx';
import { SaveBar } from './save-bar.tsx';
import { SettingRow } from './setting-row.tsx';
import { SettingsMenu } from './settings-menu.tsx';
import { latestSettings, type Refusal, useSaving } from './use-saving.ts';

type SettingsFormProps = { settings: readonly SettingReply[]; canChange: boolean };

export function SettingsForm({ settings, canChange }: SettingsFormProps) {
  const form = useSettingsForm(settings);
  const hash = useHash();
  const [words, setWords] = useState('');
  const group = groupAt(hash, settings);
  const found = words === '' ? settings.filter((each) => each.group === group) : searched(settings, words);
  useFieldAt(
    hash,
    useCallback(() => setWords(''), []),
  );
  return (
    <>
      <div
        className={cn(
          'grid gap-6 lg:grid-cols-[11rem_minmax(0,1fr)]',
          // The bar does not cover the field with the focus.
          '[&_:is(input,textarea,select,button)]:scroll-mb-44 sm:[&_:is(input,textarea,select,button)]:scroll-mb-28',
        )}
      >
        <div className="grid content-start gap-3 lg:sticky lg:top-[calc(var(--spacing-header)+1.5rem)] lg:self-start">
          <SearchField
            label="Search settings"
            bare
            placeholder="Search"
            maxLength={60}
            value={words}
            onChange={setWords}
          />
          <SettingsMenu
            current={words === '' ? group : null}
            changes={countsOf(settings, form.changes)}
            onFollow={() => setWords('')}
          />
        </div>
        {found.length === 0 ? (
          <EmptyState
            title={`No setting has “${words}”`}
            action={
              <Button variant="secondary" onClick={() => setWords('')}>
                Show all settings
              </Button>
            }
          >
            Search by title, by explanation or by the name of the variable.
          </EmptyState>
        ) : (
          <div
            className={cn(
              'grid min-w-0 content-start gap-6',
              words === '' && group === 'Brand' && 'xl:grid-cols-[minmax(0,1fr)_20rem] xl:items-start',
            )}
          >
            <div className="grid min-w-0 gap-6">
              {SETTING_GROUPS.map((each) => (
                <GroupCard
                  key={each}
                  group={each}
                  settings={found.filter((setting) => setting.group === each)}
                  canChange={canChange}
                  form={form}
                />
              ))}
            </div>
            {words === '' && group === 'Brand' && (
              <div className="xl:sticky xl:top-[calc(var(--spacing-header)+1.5rem)]">
                <BrandPreview settings={settings} edits={form.edits} />
              </div>
            )}
          </div>
        )}
      </div>
      <SaveBar {...form.bar} />
      <LeaveDialog changes={form.changes.length} />
    </>
  );
}

type GroupCardProps = SettingsFormProps & { group: SettingGroup; form: ReturnType<typeof useSettingsForm> };

function GroupCard({ group, settings, canChange, form }: GroupCardProps) {
  if (settings.length === 0) return null;
  return (
    <Card padded={false} aria-label={group} className="overflow-hidden">
      <CardHeader title={group} description={GROUP_WORDS[group]} className="px-inset pt-5 pb-1" />
      <ul className="divide-y divide-line">
        {settings.map((setting) => (
          <SettingRow
            key={setting.name}
            setting={setting}
            edit={form.edits[setting.name]}
            isChanged={form.changes.some(({ name }) => name === setting.name)}
            error={form.issues[setting.name]}
            canChange={canChange}
            onChange={(value) => form.edit(setting, value)}
            onUndo={() => form.undo(setting.name)}
          />
        ))}
      </ul>
    </Card>
  );
}

const GROUP_WORDS: Record<SettingGroup, ReactNode> = {
  Brand: 'How the marketplace looks in its pages, mails and documents.',
  Money: 'What you and publishers earn, and when they are paid.',
  Tax: (
    <>
      How tax is shown and documented. The rates have{' '}
      <Link href="/operator/tax" className="text-accent underline decoration-accent/35 underline-offset-4">
        a page of their own
      </Link>
      .
    </>
  ),
  Rules: 'What publishers and advertisers can do.',
  Mail: 'Who mail comes from, and where answers go.',
  Legal: 'Who sells, as receipts and other documents say.',
};

/** The edits, what the server says about them, and the bar that saves them. */
function useSettingsForm(settings: readonly SettingReply[]) {
  const [edits, setEdits] = useEdits();
  const [issues, setIssues] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState<string>();
  const [reason, setReason] = useState('');
  const changes = changesOf(settings, edits);
  const forgetIssue = (name: string) =>
    setIssues((before) => Object.fromEntries(Object.entries(before).filter(([each]) => each !== name)));
  const { save, done, forget } = useSaving({
    onSaved: (names) => {
      setEdits((before) => withoutEdits(before, names));
      setIssues({});
      setProblem(undefined);
      setReason('');
    },
    onRefused: async (refusal) => {
      setIssues(refusal.issues);
      setProblem(refusal.problem);
      // What was typed stays. The operator is told what is in force now, so that saving again means it.
      if (refusal.status === 409) await refreshConsole();
      setEdits((before) => withPresentVersions(before, refusal, latestSettings()));
      const first = settings.find(({ name }) => refusal.issues[name] !== undefined);
      if (first) showField(first.name);
    },
  });
  return {
    edits,
    changes,
    issues,
    edit: (setting: SettingReply, value: string | null) => {
      forget();
      forgetIssue(setting.name);
      setEdits((before) => ({
        ...before,
        [setting.name]: { value, version: before[setting.name]?.version ?? setting.version },
      }));
    },
    undo: (name: string) => {
      forgetIssue(name);
      setEdits((before) => withoutEdits(before, [name]));
    },
    bar: {
      changes: changes.length,
      saved: done?.count ?? 0,
      needsReload: done?.needsReload ?? false,
      canUndo: done !== undefined && done.back.length > 0,
      problem,
      reason,
      isSaving: save.isPending,
      onReason: setReason,
      onSave: () => save.mutate({ changes, reason, before: settings, isUndo: false }),
      onUndoAll: () => {
        setEdits(() => ({}));
        setIssues({});
        setProblem(undefined);
      },
      onUndoSaved: () => {
        if (done) save.mutate({ changes: done.back, reason: 'Undone', before: settings, isUndo: true });
      },
      onClose: forget,
    },
  };
}

/** After a refusal that says what a setting is now, the next save is about that version. */
function withPresentVersions(
  edits: Edits,
  { status, issues }: Refusal,
  settings: readonly SettingReply[],
): Edits {
  if (status !== 409) return edits;
  return Object.fromEntries(
    Object.entries(edits).map(([name, edit]) => {
      const now = settings.find((each) => each.name === name);
      return [name, issues[name] !== undefined && now ? { ...edit, version: now.version } : edit];
    }),
  );
}

function countsOf(settings: readonly SettingReply[], changes: readonly SettingChange[]) {
  const counts: Partial<Record<SettingGroup, number>> = {};
  for (const { name } of changes) {
    const { group } = settings.find((each) => each.name === name)!;
    counts[group] = (counts[group] ?? 0) + 1;
  }
  return counts;
}

/** The group that the address names, by its own name or by that of a setting. The first group without one. */
function groupAt(hash: string, settings: readonly SettingReply[]): SettingGroup {
  const named = SETTING_GROUPS.find((group) => group.toLowerCase() === hash);
  return named ?? settings.find(({ name }) => name === hash)?.group ?? SETTING_GROUPS[0];
}

function searched(settings: readonly SettingReply[], words: string): SettingReply[] {
  const parts = words.toLowerCase().split(/\s+/);
  return settings.filter(({ name, title, help }) => {
    const text = `${title} ${help} ${name}`.toLowerCase();
    return parts.every((part) => text.includes(part));
  });
}

/** Leads to the field of a setting, in whatever group it is. */
function showField(name: string): void {
  if (window.location.hash === `#${name}`) focusField(name);
  else window.location.hash = name;
}

/** Focuses the field of the setting that the address names. */
function useFieldAt(hash: string, onArrive: () => void): void {
  useEffect(() => {
    if (!/^[A-Z_]+$/.test(hash)) return;
    onArrive();
    // The group of the setting is drawn first.
    const frame = requestAnimationFrame(() => focusField(hash));
    return () => cancelAnimationFrame(frame);
  }, [hash, onArrive]);
}

function focusField(name: string): void {
  const row = document.getElementById(name);
  row?.scrollIntoView({ block: 'center' });
  row
    ?.querySelector<HTMLElement>('input:not([type=color]), textarea, select, button')
    ?.focus({ preventScroll: true });
}
