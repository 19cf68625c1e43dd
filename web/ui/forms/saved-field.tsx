import { useState, type ComponentProps } from 'react';
import { Field } from './field.tsx';
import { Input, Textarea } from './input.tsx';

type SavedFieldProps = {
  label: string;
  hint?: string;
  /** What the server has. */
  saved: string;
  /** A sentence when the text cannot be saved as it stands. */
  check?: (text: string) => string | undefined;
  /** Rejects when it failed; telling the user why is the caller's. */
  save: (text: string) => Promise<unknown>;
  multiline?: boolean;
  input?: ComponentProps<'input'>;
};

/** A text that saves itself when the field is left, if it has changed (SET-12 to SET-14). */
export function SavedField({ label, hint, saved, check, save, multiline, input }: SavedFieldProps) {
  // Only what is being edited is held here, so that news from the server shows at once.
  const [edited, setEdited] = useState<string | null>(null);
  const [problem, setProblem] = useState<string>();

  async function leave() {
    const text = (edited ?? saved).trim();
    if (text === saved) {
      setEdited(null);
      setProblem(undefined);
      return;
    }
    const found = check?.(text);
    setProblem(found);
    if (found) return;
    try {
      await save(text);
      // Unless the typing has gone on meanwhile.
      setEdited((current) => (current?.trim() === text ? null : current));
    } catch {
      setProblem('Not saved');
    }
  }

  const control = {
    value: edited ?? saved,
    onChange: (event: { target: { value: string } }) => setEdited(event.target.value),
    onBlur: () => void leave(),
  };
  return (
    <Field label={label} hint={hint} error={problem}>
      {multiline ? <Textarea {...control} /> : <Input {...input} {...control} />}
    </Field>
  );
}
