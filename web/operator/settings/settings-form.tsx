import { type ReactNode, useCallback, useState } from 'react';
import { Link } from 'wouter';
import { type SettingChange, type SettingReply } from '#domain/operator/console/settings-contract.ts';
import { SETTING_GROUPS, type SettingGroup } from '#domain/operator/limits.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { cn } from '#web/ui/cn.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { useFieldAt, useHash } from './address.ts';
import { BrandPreview } from './brand-preview.tsx';
import { LeaveDialog } from './leave-dialog.tsx';
import { SaveBar } from './save-bar.tsx';
import { SettingRow } from './setting-row.tsx';
import { SettingsMenu } from './settings-menu.tsx';
import { useSettingsForm } from './use-settings-form.ts';

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
          <NothingFound words={words} onShowAll={() => setWords('')} />
        ) : (
          <Groups
            settings={found}
            canChange={canChange}
            form={form}
            preview={
              words === '' && group === 'Brand' && <BrandPreview settings={settings} edits={form.edits} />
            }
          />
        )}
      </div>
      <SaveBar {...form.bar} />
      <LeaveDialog changes={form.changes.length} />
    </>
  );
}

function NothingFound({ words, onShowAll }: { words: string; onShowAll: () => void }) {
  return (
    <EmptyState
      title={`No setting has “${words}”`}
      action={
        <Button variant="secondary" onClick={onShowAll}>
          Show all settings
        </Button>
      }
    >
      Search by title, by explanation or by the name of the variable.
    </EmptyState>
  );
}

type GroupsProps = SettingsFormProps & { form: ReturnType<typeof useSettingsForm>; preview: ReactNode };

function Groups({ settings, canChange, form, preview }: GroupsProps) {
  return (
    <div
      className={cn(
        'grid min-w-0 content-start gap-6',
        preview && 'xl:grid-cols-[minmax(0,1fr)_20rem] xl:items-start',
      )}
    >
      <div className="grid min-w-0 gap-6">
        {SETTING_GROUPS.map((each) => (
          <GroupCard
            key={each}
            group={each}
            settings={settings.filter((setting) => setting.group === each)}
            canChange={canChange}
            form={form}
          />
        ))}
      </div>
      {preview && <div className="xl:sticky xl:top-[calc(var(--spacing-header)+1.5rem)]">{preview}</div>}
    </div>
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
