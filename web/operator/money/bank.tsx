import { useState } from 'react';
import { Download } from 'lucide-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { Reply } from '#domain/endpoint.ts';
import type {
  getBankPayouts,
  readBankStatement,
  ShownPayout,
  ShownStatementLine,
} from '#domain/operator/console/bank-contract.ts';
import { calls } from '#domain/operator/console/calls.ts';
import { counted } from '#domain/format.ts';
import { MAX_STATEMENT_BYTES } from '#domain/payments/limits.ts';
import { read } from '#web/http/query.ts';
import { messageOf } from '#web/http/request-error.ts';
import { call } from '#web/http/request.ts';
import { Badge, type Tone } from '#web/ui/badge.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatDateTime } from '#web/ui/format/format.ts';
import { FileDrop } from '#web/ui/forms/file-drop.tsx';
import { refreshConsole } from '../parts/act-sheet.tsx';
import { ActButtons } from '../parts/act-button.tsx';
import { ConsolePage } from '../parts/console-page.tsx';
import { MoneyRow, PersonLink, Rows, Section, sumText } from './rows.tsx';

type Bank = Reply<typeof getBankPayouts>;
type Statement = Reply<typeof readBankStatement>;

/** The card provider pays, and always did. */
const isUnused = ({ method, waiting, atBank, files }: Bank): boolean =>
  method === 'connect' && [waiting, atBank, files].every(({ length }) => length === 0);

/** The payouts by bank transfer: the files for the bank, and what the bank did. [PAYO-202, PAYO-210] */
export default function BankPage() {
  const query = useQuery(read(calls.getBankPayouts));
  return (
    <ConsolePage
      title="Bank payouts"
      what="the payouts"
      query={query}
      description={
        query.data?.method === 'connect'
          ? 'The card provider pays your publishers. This page shows earlier payouts by bank transfer.'
          : 'You pay your publishers by bank transfer: make a file, upload it to your bank, then read the bank’s statement.'
      }
    >
      {(bank) =>
        isUnused(bank) ? (
          <EmptyState title="No payout was made by bank transfer">
            With <code translate="no">PAYOUTS=bank</code>, you pay your publishers from your own bank account.
          </EmptyState>
        ) : (
          <>
            <Section
              title="Waiting for a file"
              description="Payouts that your bank doesn’t know yet."
              actions={<ActButtons acts={bank.acts} />}
            >
              <Payouts
                label="Waiting for a file"
                payouts={bank.waiting}
                empty="No payout waits for a file."
              />
            </Section>
            <Section
              title="At your bank"
              description="Upload your bank’s statement, or note what your bank did. The publisher reads your reason."
            >
              {bank.mayRead && <StatementUpload />}
              <Payouts label="At your bank" payouts={bank.atBank} empty="No payout is at your bank." />
            </Section>
            <Files bank={bank} />
          </>
        )
      }
    </ConsolePage>
  );
}

type PayoutsProps = { label: string; payouts: readonly ShownPayout[]; empty: string };

function Payouts({ label, payouts, empty }: PayoutsProps) {
  return (
    <Rows label={label} items={payouts} empty={empty} keyOf={({ id }) => id}>
      {(payout) => (
        <MoneyRow
          amount={sumText(payout)}
          title={`Payout ${payout.id}`}
          badge={payout.isHeld && <Badge tone="warn">On hold: it waits for a later file</Badge>}
          acts={payout.acts}
          about={`payout ${payout.id}`}
        >
          <PersonLink userId={payout.userId} name={payout.email} />, <bdi>{payout.holder}</bdi>, account …
          {payout.last4}, since {formatDateTime(payout.since)}
          {payout.fileId !== null && `, in file ${payout.fileId}`}
        </MoneyRow>
      )}
    </Rows>
  );
}

function StatementUpload() {
  const [tooLarge, setTooLarge] = useState(false);
  const upload = useMutation({
    mutationFn: async (file: File) =>
      await call(calls.readBankStatement, { body: { file: await base64Of(file) } }),
    onSuccess: refreshConsole,
  });
  const limit = `${MAX_STATEMENT_BYTES / 1024 ** 2} MB`;
  const error = tooLarge
    ? `The file is larger than ${limit}. Read it with openslot money bank-statement.`
    : upload.isError
      ? messageOf(upload.error, 'Please try again.')
      : undefined;
  return (
    <div className="grid gap-4 border-b border-line px-inset py-4">
      <FileDrop
        label="Read a statement"
        hint={`camt.053 (XML), at most ${limit}`}
        accept=".xml,application/xml,text/xml"
        busy={upload.isPending}
        error={error}
        onFile={(file) => {
          const isTooLarge = file.size > MAX_STATEMENT_BYTES;
          setTooLarge(isTooLarge);
          upload.reset();
          if (!isTooLarge) upload.mutate(file);
        }}
      />
      {upload.data && <StatementResult statement={upload.data} />}
    </div>
  );
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  // In parts, because a call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCodePoint(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

const DID: Record<ShownStatementLine['did'], { words: string; tone: Tone }> = {
  paid: { words: 'Booked as paid', tone: 'good' },
  returned: { words: 'Booked as returned', tone: 'warn' },
  known: { words: 'Booked before', tone: 'neutral' },
  problem: { words: 'Not booked', tone: 'bad' },
};

/** What each entry of the statement did. */
function StatementResult({ statement: { lines, others } }: { statement: Statement }) {
  return (
    <div role="status" className="grid gap-3">
      <h3 className="text-sm font-semibold">Your statement</h3>
      {lines.length === 0 ? (
        <Banner>The statement has no entry about a payout.</Banner>
      ) : (
        <ul aria-label="Your statement" className="divide-y divide-line rounded-control border border-line">
          {lines.map((line) => (
            <li key={`${line.statement} ${line.entry}`} className="px-4 py-3">
              <MoneyRow
                amount={
                  line.amount === null
                    ? '–'
                    : sumText({ ...line, amount: line.amount, currency: line.currency ?? '' })
                }
                title={`Payout ${line.payout}`}
                badge={<Badge tone={DID[line.did].tone}>{DID[line.did].words}</Badge>}
              >
                Statement <bdi>{line.statement}</bdi>, entry {line.entry}
                {line.problem !== null && `: ${line.problem}`}
              </MoneyRow>
            </li>
          ))}
        </ul>
      )}
      {others > 0 && <p className="text-sm text-ink-soft">{counted(others, 'line')} about something else.</p>}
    </div>
  );
}

function Files({ bank: { files, isLive, mayRead } }: { bank: Bank }) {
  return (
    <Section
      title="Files"
      description={
        <>
          {isLive
            ? 'Upload each file to your bank once. '
            : 'These files are tests: nobody has paid with real money, so don’t upload them. '}
          To note that a paid payout came back, use its number with{' '}
          <code translate="no" className="text-xs">
            openslot money bank-returned
          </code>
          .
        </>
      }
    >
      <Rows label="Files" items={files} empty="No file was made yet." keyOf={({ id }) => id}>
        {(file) => (
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
            <div className="min-w-0 flex-1 basis-72">
              <MoneyRow
                amount={sumText(file)}
                title={`File ${file.id}`}
                badge={
                  file.open === 0 ? (
                    <Badge tone="good">All booked</Badge>
                  ) : (
                    <Badge tone="warn">{file.open} open</Badge>
                  )
                }
              >
                {counted(file.payouts, 'payout')}, made {formatDateTime(file.madeAt)}
              </MoneyRow>
            </div>
            {mayRead && (
              <a
                href={`/operator/bank/files/${file.id}`}
                download
                aria-label={`Download file ${file.id}`}
                className="flex h-9 items-center gap-2 rounded-control border border-line-strong/60 bg-surface px-3 text-sm font-medium shadow-rest hover:border-line-strong hover:bg-sunken [&_svg]:size-4"
              >
                <Download aria-hidden="true" />
                <span>Download</span>
              </a>
            )}
          </div>
        )}
      </Rows>
    </Section>
  );
}
