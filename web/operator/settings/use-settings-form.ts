import { useState } from 'react';
import type { SettingReply } from '#domain/operator/console/settings-contract.ts';
import { refreshConsole } from '../parts/act-sheet.tsx';
import { showField } from './address.ts';
import { changesOf, type Edits, useEdits, withoutEdits } from './edits.ts';
import { latestSettings, type Refusal, useSaving } from './use-saving.ts';

/** The edits, what the server says about them, and the bar that saves them. */
export function useSettingsForm(settings: readonly SettingReply[]) {
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
      saved: done?.said,
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
