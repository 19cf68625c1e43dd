import { useRef, useState } from 'react';
import type { WebsitePreview } from '#domain/inventory/contract.ts';
import { Button } from '#web/ui/button.tsx';
import { messageOf } from '#web/http/request-error.ts';
import { usePreviewWebsite } from '../api.ts';

const FILLABLE = ['name', 'description'] as const;
type Fillable = (typeof FILLABLE)[number];
/** The texts that were filled in. They belong to the draft, so that a restored one still knows them. */
export type FilledTexts = Partial<Record<Fillable, string>>;

type State = { filled: Fillable[]; imageUrl: string | null; picture: string | null; problem: string | null };
const NOTHING: State = { filled: [], imageUrl: null, picture: null, problem: null };

export type SitePreview = State & {
  isReading: boolean;
  /** Reads the page, unless it was the last one that was read. */
  ask: (url: string) => void;
  isAsked: (url: string) => boolean;
  undo: () => void;
};

/** Fills the form's empty fields from the website's own page. Typed text is never replaced. */
export function useSitePreview({
  read,
  write,
  filledTexts,
  keepFilledTexts,
}: {
  read: (name: Fillable) => string;
  write: (name: Fillable, text: string) => void;
  filledTexts: () => FilledTexts;
  keepFilledTexts: (texts: FilledTexts) => void;
}): SitePreview {
  const [state, setState] = useState<State>(NOTHING);
  const asked = useRef<string>(null);
  const call = usePreviewWebsite();

  function fill(preview: WebsitePreview) {
    const filled = FILLABLE.filter((name) => preview[name] !== null && read(name).trim() === '');
    const texts = Object.fromEntries(filled.map((name) => [name, preview[name] ?? '']));
    for (const name of filled) write(name, texts[name] ?? '');
    keepFilledTexts(texts);
    setState({ filled, imageUrl: preview.imageUrl, picture: preview.picture, problem: null });
  }

  function ask(url: string) {
    if (!/^https?:\/\/[^/]*\./i.test(url) && !/^https?:\/\/localhost/i.test(url)) return;
    if (url === asked.current) return;
    undo();
    asked.current = url;
    call.mutate(
      { url },
      {
        onSuccess: (preview) => {
          if (asked.current === url) fill(preview);
        },
        onError: (error) => {
          if (asked.current !== url) return;
          const problem = messageOf(error, 'We couldn’t read this page.');
          setState({ ...NOTHING, problem });
        },
      },
    );
  }

  /** Empties the fields that were filled in and not changed since. */
  function undo() {
    const texts = filledTexts();
    for (const name of FILLABLE) if (texts[name] !== undefined && read(name) === texts[name]) write(name, '');
    keepFilledTexts({});
    setState(NOTHING);
  }

  return {
    ...state,
    isReading: call.isPending,
    ask,
    isAsked: (url) => url === asked.current,
    undo,
  };
}

const NAMES: Record<Fillable, string> = { name: 'the name', description: 'the description' };

/** The note below the address: which fields were filled in from the page, or why none were. */
export function PreviewNote({ preview, onUndo }: { preview: SitePreview; onUndo: () => void }) {
  if (preview.isReading) return <>Reading your page…</>;
  if (preview.problem !== null) return <>{preview.problem} You can fill in the fields yourself.</>;
  if (preview.filled.length === 0) return <>We read the website’s name and description from your page.</>;
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      Filled in {preview.filled.map((name) => NAMES[name]).join(' and ')} from your page.
      <Button data-undo variant="link" onClick={onUndo}>
        Undo
      </Button>
    </span>
  );
}
