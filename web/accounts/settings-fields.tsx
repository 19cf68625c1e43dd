import { useState, type ComponentProps } from 'react';
import { Field } from '#web/ui/field.tsx';
import { Input, Textarea } from '#web/ui/input.tsx';

type SavedFieldProps = {
  label: string;
  hint?: string;
  /** What the server has. */
  saved: string;
  /** Returns a sentence when the text cannot be saved as it stands. */
  check?: (text: string) => string | undefined;
  save: (text: string, onFailed: () => void) => void;
  multiline?: boolean;
  input?: ComponentProps<'input'>;
};

/** A text that saves itself when the field is left, if it has changed (SET-12 to SET-14). */
export function SavedField({ label, hint, saved, check, save, multiline, input }: SavedFieldProps) {
  // Only what is being edited is held here, so that news from the server shows at once.
  const [edited, setEdited] = useState<string | null>(null);
  const [problem, setProblem] = useState<string>();
  const text = edited ?? saved;

  function leave() {
    if (edited === null || edited.trim() === saved) {
      setEdited(null);
      setProblem(undefined);
      return;
    }
    const found = check?.(edited.trim());
    setProblem(found);
    if (!found) save(edited.trim(), () => setProblem('Not saved. Leave the field again to retry.'));
  }

  const control = {
    value: text,
    onChange: (event: { target: { value: string } }) => setEdited(event.target.value),
    onBlur: leave,
  };
  return (
    <Field label={label} hint={hint} error={problem}>
      {multiline ? <Textarea {...control} /> : <Input {...input} {...control} />}
    </Field>
  );
}
