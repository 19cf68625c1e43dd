import { MAX_SETTING_REASON } from '#domain/operator/limits.ts';
import { counted } from '#domain/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Input } from '#web/ui/forms/input.tsx';

type SaveBarProps = {
  changes: number;
  /** What the last save did: 'Saved 3 changes.' */
  saved: string | undefined;
  /** Whether the pages show what was saved only after a reload. */
  needsReload: boolean;
  canUndo: boolean;
  /** Said if no field can say it. */
  problem: string | undefined;
  reason: string;
  isSaving: boolean;
  onReason: (reason: string) => void;
  onSave: () => void;
  onUndoAll: () => void;
  onUndoSaved: () => void;
  onClose: () => void;
};

/** The bar at the bottom of the page: how much has changed, why, and the save of all of it. */
export function SaveBar(props: SaveBarProps) {
  const { changes, saved, problem } = props;
  if (changes === 0 && saved === undefined && problem === undefined) return null;
  return (
    <section
      aria-label="Save"
      className="sticky bottom-[calc(var(--toasts,0px)+0.75rem)] z-20 grid gap-2 rounded-card border border-line bg-surface p-3 shadow-float"
    >
      {problem !== undefined && (
        <p role="alert" className="px-1 text-sm wrap-anywhere text-bad">
          {problem}
        </p>
      )}
      {changes > 0 ? <Unsaved {...props} /> : saved !== undefined && <Saved {...props} />}
    </section>
  );
}

function Unsaved({ changes, reason, isSaving, onReason, onSave, onUndoAll }: SaveBarProps) {
  return (
    <form
      noValidate
      className="flex flex-wrap items-center gap-x-3 gap-y-2"
      onSubmit={(event) => {
        event.preventDefault();
        onSave();
      }}
    >
      <p role="status" className="px-1 text-sm font-medium whitespace-nowrap">
        {counted(changes, 'change')}
      </p>
      <div className="min-w-0 flex-1 basis-48">
        <Input
          aria-label="Reason (optional)"
          placeholder="Reason (optional), for the audit trail"
          maxLength={MAX_SETTING_REASON}
          autoComplete="off"
          value={reason}
          onChange={({ target }) => onReason(target.value)}
        />
      </div>
      <div className="ml-auto flex gap-2">
        <Button variant="secondary" disabled={isSaving} onClick={onUndoAll}>
          Undo all
        </Button>
        <Button type="submit" busy={isSaving}>
          <span>Save</span>
        </Button>
      </div>
    </form>
  );
}

function Saved({ saved, needsReload, canUndo, isSaving, onUndoSaved, onClose }: SaveBarProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
      <p role="status" className="px-1 text-sm">
        <span className="font-medium">{saved}</span>{' '}
        {needsReload && <span className="text-ink-soft">Reload the page to see it in this tab.</span>}
      </p>
      <div className="ml-auto flex flex-wrap gap-2">
        {canUndo && (
          <Button variant="secondary" size="sm" busy={isSaving} onClick={onUndoSaved}>
            <span>Undo</span>
          </Button>
        )}
        {needsReload && (
          <Button variant="secondary" size="sm" onClick={() => window.location.reload()}>
            Reload
          </Button>
        )}
        <Button variant="quiet" size="sm" onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  );
}
