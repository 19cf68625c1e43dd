import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { calls } from '#domain/operator/console/calls.ts';
import { counted } from '#domain/format.ts';
import type { SettingChange, SettingReply } from '#domain/operator/console/settings-contract.ts';
import { queryClient } from '#web/http/query-client.ts';
import { read } from '#web/http/query.ts';
import { messageOf, RequestError } from '#web/http/request-error.ts';
import { call } from '#web/http/request.ts';
import { refreshConsole } from '../parts/act-sheet.tsx';
import { reverseOf } from './edits.ts';

type Asked = {
  changes: readonly SettingChange[];
  reason: string;
  /** The settings before the save. */
  before: readonly SettingReply[];
  isUndo: boolean;
};
/** What the last save did. `back` puts back what was in force before; it is empty after an undo. */
type Done = { said: string; needsReload: boolean; back: SettingChange[] };

/** The settings that the frame shows, and the currency of all amounts, which a tab reads when it opens. */
const OF_DOCUMENT = new Set(['MARKETPLACE_NAME', 'TAGLINE', 'LOGO', 'ICON', 'ACCENT', 'CURRENCY']);

export type Refusal = {
  status: number;
  issues: Readonly<Record<string, string>>;
  problem: string | undefined;
};

type Hooks = { onSaved: (names: string[]) => void; onRefused: (refusal: Refusal) => Promise<void> };

/** Saves changes in one call, and can put back what was in force before, as a new change. */
export function useSaving({ onSaved, onRefused }: Hooks) {
  const [done, setDone] = useState<Done>();
  const save = useMutation({
    mutationFn: ({ changes, reason }: Asked) =>
      call(calls.saveSettings, { body: { changes: [...changes], reason } }),
    onSuccess: async (_, { changes, before, isUndo }) => {
      const names = changes.map(({ name }) => name);
      onSaved(names);
      const needsReload = names.some((name) => OF_DOCUMENT.has(name));
      await refreshConsole();
      // With the versions of now, so that the undo is refused if another operator has changed a setting since.
      const back = isUndo ? [] : reverseOf(changes, before, latestSettings());
      setDone({
        said: `${isUndo ? 'Put back' : 'Saved'} ${counted(names.length, 'change')}.`,
        needsReload,
        back,
      });
    },
    onError: async (error) => await onRefused(refusalOf(error)),
  });
  return { save, done, forget: () => setDone(undefined) };
}

function refusalOf(error: unknown): Refusal {
  const issues = error instanceof RequestError ? error.issues : [];
  const named = Object.fromEntries(issues.map(({ path, message }) => [path, message]));
  return {
    status: error instanceof RequestError ? error.status : 0,
    issues: named,
    problem: Object.keys(named).some(isSettingName) ? undefined : messageOf(error, 'Please try again.'),
  };
}

/** A refused reason has another name. */
const isSettingName = (name: string) => /^[A-Z_]+$/.test(name);

/** The settings as the server had them last. */
export function latestSettings(): readonly SettingReply[] {
  return queryClient.getQueryData(read(calls.listMarketplaceSettings).queryKey)?.settings ?? [];
}
