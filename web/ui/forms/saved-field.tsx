import { useRef, useState, type ComponentProps, type KeyboardEvent } from 'react';
import { Check } from 'lucide-react';
import { useDraftKey } from './drafts.ts';
import { Field } from './field.tsx';
import { Input, Textarea } from './input.tsx';

type SavedFieldProps = {
  label: string;
  hint?: string;
  /** The value on the server. */
  saved: string;
  /** Converts the text to the form in which the server stores it, so that an equal value is not saved again. */
  normalize?: (text: string) => string;
  /** Returns an error message if the text can't be saved. */
  check?: (text: string) => string | undefined | Promise<string | undefined>;
  /** Saves the text. Rejects on failure; the caller shows the reason. */
  save: (text: string) => Promise<unknown>;
  multiline?: boolean;
  input?: ComponentProps<'input'>;
};

const asTyped = (text: string) => text;

/**
 * A text field that saves a changed text when the user leaves it or presses Enter. A text that isn't saved yet stays in
 * this tab's storage, so that another page or a reload doesn't lose it. [SET-12, SET-14]
 */
export function SavedField({
  label,
  hint,
  saved,
  normalize = asTyped,
  check,
  save,
  multiline,
  input,
}: SavedFieldProps) {
  const draftKey = useDraftKey()(`setting-${label}`);
  // Holds only a text that isn't saved, so that a new value from the server shows immediately.
  const [edited, setEdited] = useState(() => {
    const draft = sessionStorage.getItem(draftKey);
    return draft !== null && normalize(draft.trim()) === saved ? null : draft;
  });
  const [problem, setProblem] = useState(edited === null ? undefined : 'Not saved yet. Press Enter to save.');
  const [isSaved, setIsSaved] = useState(false);
  const sending = useRef<string>(undefined);

  function edit(text: string | null) {
    setEdited(text);
    if (text === null || text.trim() === '') sessionStorage.removeItem(draftKey);
    else sessionStorage.setItem(draftKey, text);
  }

  async function leave() {
    const text = normalize((edited ?? saved).trim());
    if (text === saved) {
      edit(null);
      setProblem(undefined);
      return;
    }
    const found = await check?.(text);
    setProblem(found);
    // Enter has sent this text already when the user leaves the field.
    if (found || text === sending.current) return;
    sending.current = text;
    try {
      await save(text);
      // The user may have typed more in the meantime.
      if (normalize(sessionStorage.getItem(draftKey)?.trim() ?? text) === text) {
        edit(null);
        setIsSaved(true);
      }
    } catch {
      setProblem('Not saved. Please try again.');
    } finally {
      sending.current = undefined;
    }
  }

  const control = {
    value: edited ?? saved,
    onChange: (event: { target: { value: string } }) => {
      setIsSaved(false);
      edit(event.target.value);
    },
    onBlur: () => void leave(),
  };
  const saveOnEnter = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) void leave();
  };
  return (
    <Field label={label} hint={hint} error={problem} aside={<SavedNote shown={isSaved} />}>
      {multiline ? <Textarea {...control} /> : <Input {...input} {...control} onKeyDown={saveOnEnter} />}
    </Field>
  );
}

/** The element is always there, because a screen reader announces only what changes inside one. */
export function SavedNote({ shown }: { shown: boolean }) {
  return (
    <span role="status" className="flex items-center gap-1 text-good">
      {shown && (
        <>
          <Check aria-hidden="true" className="size-3.5" />
          Saved
        </>
      )}
    </span>
  );
}
