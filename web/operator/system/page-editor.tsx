import { useEffect } from 'react';
import { useMutation } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { calls } from '#domain/operator/console/calls.ts';
import type { OfferedAct } from '#domain/operator/console/act-contract.ts';
import type { getWrittenPage } from '#domain/operator/console/texts-contract.ts';
import type { Reply } from '#domain/endpoint.ts';
import { MAX_PAGE_TEXT, TO_FILL_IN } from '#domain/pages.ts';
import { messageOf } from '#web/http/request-error.ts';
import { call } from '#web/http/request.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { formatCount } from '#web/ui/format/format.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { useDraftForm } from '#web/ui/forms/form-draft.ts';
import { Textarea } from '#web/ui/forms/input.tsx';
import { ActButton } from '../parts/act-button.tsx';
import { WrittenText } from './written-text.tsx';

type WrittenPage = Reply<typeof getWrittenPage>;
/** `version` is the newest one when the operator began to write, so that what another one saves is not lost unread. */
type Draft = { text: string; version: number };

type EditorProps = {
  page: WrittenPage;
  /** The text to begin with in place of the newest one; undefined once it was taken. */
  start: string | undefined;
  onStarted: () => void;
};

/** The typed text, which survives a refusal, another page and a lost session. */
function useWriting({ page, start, onStarted }: EditorProps) {
  const { key, version } = page;
  const { form, discard } = useDraftForm<Draft>({
    draft: `written-page-${key}`,
    defaultValues: { text: page.text, version },
  });
  const { text = '', version: begun = version } = useWatch({ control: form.control });
  const isSaved = isSame(text, page.text);

  useEffect(() => {
    if (start === undefined) return;
    form.setValue('text', start);
    onStarted();
  }, [form, start, onStarted]);
  // The newest version is what was typed: it was saved here.
  useEffect(() => {
    if (isSaved && begun !== version) discard();
  }, [isSaved, begun, version, discard]);
  return { form, discard, text, begun, isSaved };
}

/** The form of a page. */
export function PageEditor(props: EditorProps) {
  const { page } = props;
  const { key, version } = page;
  const { form, discard, text, begun, isSaved } = useWriting(props);
  const preview = useMutation({
    mutationFn: (typed: string) => call(calls.previewPage, { params: { key }, body: { text: typed } }),
  });
  const isOvertaken = begun !== version && !isSaved;
  return (
    <>
      {isOvertaken && (
        <Overtaken page={page} onKeep={() => form.setValue('version', version)} onTake={discard} />
      )}
      <Marks text={text} />
      <Card className="grid gap-5">
        <Field
          label="Text, in Markdown"
          aside={`${formatCount(text.length)} of ${formatCount(MAX_PAGE_TEXT)} characters`}
          hint="The first line, after “# ”, is the heading. HTML is shown as text."
        >
          <Textarea
            rows={20}
            className="font-mono"
            value={text}
            onChange={({ target }) => form.setValue('text', target.value)}
          />
        </Field>
        <div className="flex flex-wrap gap-2">
          <Acts page={page} text={text} begun={begun} isSaved={isSaved} />
          <Button variant="secondary" size="sm" busy={preview.isPending} onClick={() => preview.mutate(text)}>
            Preview
          </Button>
        </div>
        {preview.isError && <Banner tone="bad">{messageOf(preview.error, 'Please try again.')}</Banner>}
      </Card>
      {preview.data && preview.variables !== page.text ? (
        <Shown
          title="Preview"
          note="As readers will see it. This text is not saved yet."
          rendered={preview.data}
        />
      ) : (
        version > 0 && (
          <Shown
            title="Preview"
            note={`Version ${version}, as readers will see it.`}
            rendered={page.rendered}
          />
        )
      )}
    </>
  );
}

type ActsProps = { page: WrittenPage; text: string; begun: number; isSaved: boolean };

/** What can be done with the typed text, and with the saved one while nothing else was typed. */
function Acts({ page: { save, saveAndPublish, acts }, text, begun, isSaved }: ActsProps) {
  const withText = (act: OfferedAct): OfferedAct => ({ ...act, hidden: { text, version: String(begun) } });
  return (
    <>
      {save && <ActButton act={withText(save)} variant="primary" />}
      {saveAndPublish && <ActButton act={withText(saveAndPublish)} />}
      {isSaved && acts.map((act) => <ActButton key={act.path} act={act} />)}
    </>
  );
}

/** Whether the server stores both texts as the same. */
const isSame = (one: string, other: string): boolean =>
  one.replaceAll('\r\n', '\n').trim() === other.replaceAll('\r\n', '\n').trim();

/** What a starter text leaves to the operator. */
function Marks({ text }: { text: string }) {
  const marks = text.match(TO_FILL_IN) ?? [];
  if (marks.length === 0) return null;
  return (
    <Banner tone="warn">
      {marks.length === 1 ? 'One place is' : `${marks.length} places are`} marked with [TO FILL IN]. The page
      can be published when nothing is marked any more.
    </Banner>
  );
}

type OvertakenProps = { page: WrittenPage; onKeep: () => void; onTake: () => void };

function Overtaken({ page, onKeep, onTake }: OvertakenProps) {
  return (
    <Banner tone="warn" title={`Version ${page.version} was saved while you were writing.`}>
      <div className="grid gap-3">
        <p>
          Compare it with your text. You can save yours as the next version, or go on with the newest one.
        </p>
        <Disclosure label={`Text of version ${page.version}`}>
          {() => (
            <pre className="max-h-96 overflow-auto rounded-control bg-surface p-3 text-xs whitespace-pre-wrap">
              {page.text}
            </pre>
          )}
        </Disclosure>
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" size="sm" onClick={onKeep}>
            Keep my text
          </Button>
          <Button variant="secondary" size="sm" onClick={onTake}>
            Discard my text, use version {page.version}
          </Button>
        </div>
      </div>
    </Banner>
  );
}

type ShownProps = { title: string; note: string; rendered: WrittenPage['rendered'] };

function Shown({ title, note, rendered }: ShownProps) {
  return (
    <Card aria-label={title} className="grid gap-4">
      <CardHeader title={title} description={note} />
      <WrittenText {...rendered} />
    </Card>
  );
}
