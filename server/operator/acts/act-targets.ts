/** The kinds of targets of acts, and how a form and a command name them. */
import { open, readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import { type Subject, SUBJECTS } from '#domain/operator/acts.ts';
import {
  type SettingChange as SentChange,
  settingChanges,
} from '#domain/operator/console/settings-contract.ts';
import { MAX_PICTURE_BYTES } from '#domain/operator/limits.ts';
import { rowNumber } from '#domain/operator/forms.ts';
import { MAX_TAX_TABLE } from '#domain/operator/console/tax-contract.ts';
import { MAX_PAGE_TEXT, PAGE_KEYS, type PageKey, pageKey } from '#domain/pages.ts';
import { pageText } from '#domain/page-text.ts';
import { pictureIn } from '#server/platform/brand/pictures.ts';
import { invalid, notFound } from '#server/platform/http/errors.ts';
import {
  fitSetting,
  MARKETPLACE_SETTINGS,
  type MarketplaceSetting,
} from '#server/platform/settings/marketplace.ts';
import { isPictureSetting } from '../settings/pictures.ts';
import { refuseSettings, type SettingChange } from '../settings/settings.ts';
import { suspenseRef, type SuspenseRef } from '#server/money/books/suspense.ts';
import { type Input, read, subjectOf, UsageError } from './command.ts';
import { type TargetKind, idIn } from './define-act.ts';
import { numberOf } from '../people/find.ts';

type Id = { id: number };

/** A row that has only a number. */
export const NUMBER: TargetKind<Id> = {
  takes: 'NUMBER',
  inCall: (sent) => ({ id: idIn(sent) }),
  inWords: ({ args: [word = ''] }) => {
    const id = rowNumber(word);
    if (id === null) throw new UsageError(`Expected a number instead of “${word}”.`);
    return { id };
  },
};
export const HOLD_NUMBER: TargetKind<Id> = { ...NUMBER, takes: 'HOLD' };

/** By its number, its id, or a person's e-mail address. */
async function named({ ctx }: Input, subject: Subject, word: string | undefined): Promise<Id> {
  if (word === undefined || word === '') throw new UsageError(`Name the ${subject}.`);
  return { id: await numberOf(ctx, subject, word) };
}

const subject = (kind: Subject): TargetKind<Id> => ({
  takes: kind.toUpperCase(),
  inCall: NUMBER.inCall,
  inWords: async (input) => await named(input, kind, input.args[0]),
});
export const PERSON = subject('person');
export const WEBSITE = subject('website');
export const AD = subject('ad');

/** The folder of the path says the kind of the subject. */
export const FOLDERS: Record<Subject, string> = {
  person: 'people',
  website: 'websites',
  zone: 'zones',
  ad: 'ads',
};

function subjectAt(path: string): Subject {
  const subject = SUBJECTS.find((each) => path.startsWith(`/operator/${FOLDERS[each]}/`));
  if (subject === undefined) throw notFound();
  return subject;
}

export const SUBJECT: TargetKind<Id & { subject: Subject }> = {
  takes: 'person|website|zone|ad NAME',
  inCall: (sent, path) => ({ subject: subjectAt(path), id: idIn(sent) }),
  inWords: async (input) => {
    const kind = subjectOf(input.args[0]);
    return { subject: kind, ...(await named(input, kind, input.args[1])) };
  },
};
export const USER: typeof SUBJECT = {
  ...SUBJECT,
  takes: 'EMAIL',
  inWords: async (input) => ({ subject: 'person', ...(await named(input, 'person', input.args[0])) }),
};

/** A publisher or an ad whose earnings are held. */
export const EARNINGS: TargetKind<Id & { of: 'person' | 'ad' }> = {
  takes: 'USER|AD',
  inCall: (sent, path) => ({ of: subjectAt(path) === 'person' ? 'person' : 'ad', id: idIn(sent) }),
  inWords: async (input) => {
    const [word] = input.args;
    const of = word?.includes('@') ? 'person' : 'ad';
    return { of, ...(await named(input, of, word)) };
  },
};

const REF = /^[0-9a-f-]{36}$/;
export const OWED_REFUND: TargetKind<{ ref: string }> = {
  takes: 'REFUND',
  inCall: ({ params }) => {
    const ref = params['ref'] ?? '';
    if (!REF.test(ref)) throw notFound();
    return { ref };
  },
  inWords: ({ args: [ref = ''] }) => {
    if (!REF.test(ref)) throw new UsageError('Name the refund by its id in `money list`.');
    return { ref };
  },
};

/** A payout by bank transfer. */
export const PAYOUT_NUMBER: TargetKind<Id> = { ...NUMBER, takes: 'PAYOUT' };

export const SUSPENSE: TargetKind<{ ref: SuspenseRef }> = {
  takes: 'SUSPENSE',
  inCall: ({ params }) => {
    const ref = suspenseRef(`${params['of']}:${params['id']}`);
    if (!ref) throw notFound();
    return { ref };
  },
  inWords: ({ args: [word = ''] }) => {
    const ref = suspenseRef(word);
    if (!ref) throw new UsageError('Name the money by its id in `money list`, such as payment:12.');
    return { ref };
  },
};

const DISPUTE_ID = /^\w{1,100}$/;
/** The provider's id of a dispute. */
export const DISPUTE: TargetKind<{ disputeId: string }> = {
  takes: 'DISPUTE',
  inCall: ({ params }) => {
    const disputeId = params['id'] ?? '';
    if (!DISPUTE_ID.test(disputeId)) throw notFound();
    return { disputeId };
  },
  inWords: ({ args: [disputeId = ''] }) => {
    if (!DISPUTE_ID.test(disputeId)) throw new UsageError('Name the dispute by its id in `money books`.');
    return { disputeId };
  },
};

/** An act that is about nothing which exists already: its fields say it all. */
export const NOTHING: TargetKind<object> = { takes: '', inCall: () => ({}), inWords: () => ({}) };
/** The form's field has the address. */
export const EMAIL_FIELD: TargetKind<object> = { ...NOTHING, takes: 'EMAIL' };

const settingOf = (word: string | undefined) => MARKETPLACE_SETTINGS.find((name) => name === word);

/** A setting of the marketplace, by its name. */
export const SETTING: TargetKind<{ name: MarketplaceSetting }> = {
  takes: 'NAME',
  inCall: ({ params }) => {
    const name = settingOf(params['name']);
    if (!name) throw notFound();
    return { name };
  },
  inWords: ({ args: [word] }) => {
    const name = settingOf(word);
    if (!name)
      throw new UsageError(
        `There is no setting “${word ?? ''}” that can be changed here. They are ${MARKETPLACE_SETTINGS.join(', ')}.`,
      );
    return { name };
  },
};

/** Throws UsageError if the file cannot be read. */
async function pictureFile(name: string, path: string): Promise<Buffer> {
  try {
    if ((await stat(path)).size <= MAX_PICTURE_BYTES) return await readFile(path);
  } catch {
    throw new UsageError(`${name} takes the path of an SVG or a PNG file. There is none at “${path}”.`);
  }
  throw new UsageError(`${name}: The file is too large. Choose one of up to 256 KB.`);
}

/** Settings with new values that fit, or the bytes of pictures, which are checked when they are stored. */
export const SETTING_VALUES: TargetKind<{ changes: SettingChange[] }> = {
  takes: 'NAME VALUE',
  body: { changes: settingChanges },
  inCall: ({ body }) => {
    // The schema of the body has parsed them.
    const sent = body['changes'] as SentChange[];
    const unknown = sent.find(({ name }) => settingOf(name) === undefined);
    if (unknown) throw invalid(`There is no setting “${unknown.name}”.`, 'changes');
    const read = sent.map((change) => ({ ...change, ...readChange(change) }));
    refuseSettings(
      400,
      read.flatMap(({ name, problem }) => (problem === undefined ? [] : [{ name, sentence: problem }])),
    );
    return { changes: read.map(({ name, version, value }) => ({ name, version, value })) };
  },
  inWords: async (input) => {
    const { name } = await SETTING.inWords(input);
    const [, value = '', ...more] = input.args;
    if (more.length > 0) throw new UsageError(`${name} takes one value. Put a text with spaces in quotes.`);
    if (isPictureSetting(name)) return { changes: [{ name, value: await pictureFile(name, value) }] };
    const fit = fitSetting(name, value);
    if ('problem' in fit) throw new UsageError(fit.problem);
    return { changes: [{ name, value: fit.text }] };
  },
};

/** What a call sends for a setting, or the sentence that says why it does not fit. */
function readChange(sent: SentChange): Pick<SettingChange, 'name' | 'value'> & { problem?: string } {
  const name = settingOf(sent.name)!;
  const { value } = sent;
  if (value === null) return { name, value };
  if (isPictureSetting(name)) {
    if (value === '') return { name, value, problem: `${name}: Choose an SVG or a PNG file.` };
    return { name, value: pictureIn(value) === null ? Buffer.from(value, 'base64') : value };
  }
  const fit = fitSetting(name, value.replaceAll('\r\n', '\n'));
  return 'problem' in fit ? { name, value, problem: fit.problem } : { name, value: fit.text };
}

/** A page that the operator writes, by its key. */
export const PAGE: TargetKind<{ key: PageKey }> = {
  takes: 'KEY',
  inCall: ({ params }) => {
    const key = pageKey(params['key']);
    if (!key) throw notFound();
    return { key };
  },
  inWords: ({ args: [word] }) => {
    const key = pageKey(word);
    if (!key) throw new UsageError(`There is no page “${word ?? ''}”. They are ${PAGE_KEYS.join(', ')}.`);
    return { key };
  },
};

/** A page with a new text, which a command reads from a file. */
export const PAGE_TEXT: TargetKind<{ key: PageKey; text: string }> = {
  takes: 'KEY FILE',
  body: { text: pageText },
  inCall: (sent, path) => ({ ...PAGE.inCall(sent, path), text: sent.body['text'] as string }),
  inWords: async (input) => {
    const { key } = await PAGE.inWords(input);
    const [, file = '', ...more] = input.args;
    if (file === '' || more.length > 0) throw new UsageError('Name one file with the text, in Markdown.');
    return { key, text: read(pageText, await textIn(file)) };
  },
};

/** A table of tax rates, which a command reads from a file. The console sends '' to remove it. */
export const TAX_TABLE: TargetKind<{ table: string }> = {
  takes: 'FILE',
  body: { table: z.string().max(MAX_TAX_TABLE, 'The table is too long') },
  inCall: ({ body: { table } }) => ({ table: typeof table === 'string' ? table : '' }),
  inWords: async ({ args: [file = '', ...more] }) => {
    if (file === '' || more.length > 0) throw new UsageError('Name one file with the table, in JSON.');
    return { table: await textIn(file) };
  },
};

/** The text of a file in UTF-8. Throws UsageError if it can't be read, or is too large to be a page. */
async function textIn(file: string): Promise<string> {
  try {
    const handle = await open(file);
    try {
      // A character has at most four bytes. Reads one byte more, so that a larger file is too long for the schema.
      const { bytesRead, buffer } = await handle.read({ buffer: Buffer.alloc(4 * MAX_PAGE_TEXT + 1) });
      return new TextDecoder('utf-8', { fatal: bytesRead <= 4 * MAX_PAGE_TEXT }).decode(
        buffer.subarray(0, bytesRead),
      );
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw new UsageError(`${file} can’t be read as a text in UTF-8: ${(error as Error).message}.`);
  }
}
