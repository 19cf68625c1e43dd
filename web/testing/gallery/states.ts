/**
 * The states in which each screen is looked at: by a person at /dev/gallery, and by the checks of gallery.test.tsx. The data
 * of a state are made from the contracts, so a screen needs words of its own only where plain data say too little.
 */
import type { User } from '#domain/accounts/contract.ts';
import { rightsOf } from '#domain/accounts/members.ts';
import type { Endpoint } from '#domain/endpoint.ts';
import { answer, broken, refused, type Trouble } from '#web/testing/answers.ts';
import { filled, type Filling } from '#web/testing/sample.ts';
import { person } from '#web/testing/people.ts';

/** A view of the application. `own` answers calls where filled data say too little. */
export type Screen = {
  name: string;
  path: string;
  as?: User;
  /** Loads nothing, so it has one state. */
  isStatic?: boolean;
  /** The states that are looked at. By default, all. */
  states?: readonly State[];
  own?: (filling: Filling) => unknown;
};

const GERMAN = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
/** From right to left, with marks that turn the direction and are never closed. */
const TURNED = '\u{202e}\u{2067}قهوة الصباح\u{200f} קפה';
const MARKUP = '</p><img src=x onerror="window.harmed=1"><script>window.harmed=1</script>';

/** The members that people write. All others have forms of their own. */
const WRITTEN = new Set(
  'name title description text reason rejectionReason firstName lastName businessName website zone websiteName zoneName advertiser publisher'.split(
    ' ',
  ),
);
const written = (text: string) => (name: string) => (WRITTEN.has(name) ? `${text} ${name}` : name);

const filling = (items: number, more: Partial<Filling> = {}): Filling => ({
  items,
  isFull: items > 0,
  textOf: (name) => name,
  ...more,
});

/** The states by their names. Data, or the trouble with which each call is answered. */
export const STATES = {
  loading: { trouble: 'slow', released: new Promise(() => {}), reply: null },
  empty: filling(0),
  one: filling(1),
  many: filling(6),
  'an error': broken,
  'no rights': refused(403, 'Your role in this account does not allow this.'),
  'a long German name': filling(2, { textOf: written(GERMAN) }),
  'a name from right to left, with markup and a long word': filling(2, {
    textOf: written(`${TURNED} ${MARKUP} ${'x'.repeat(500)}`),
  }),
} satisfies Record<string, Filling | Trouble>;
export type State = keyof typeof STATES;

const contracts = import.meta.glob<Record<string, unknown>>('../../../domain/**/*contract.ts', {
  eager: true,
});

const isRead = (each: unknown): each is Endpoint =>
  typeof each === 'object' && each !== null && 'method' in each && 'reply' in each && each.method === 'GET';

/** All calls that read. */
const READS = Object.values(contracts).flatMap((contract) => Object.values(contract).filter(isRead));

export const STATE_NAMES = Object.keys(STATES) as State[];

/** Answers all calls as the screen does in this state. */
export function answerAs({ own }: Screen, state: State): void {
  const data: Filling | Trouble = STATES[state];
  if ('trouble' in data) {
    for (const read of READS) answer(read, data);
    return;
  }
  for (const read of READS) answer(read, () => filled(read.reply, data));
  own?.(data);
}

export const seller = person('seller');
export const buyer = person('buyer');
export const both = person('both');
/** Acts for the account of somebody else. */
export const member = person('both', {
  membership: { role: 'read', rights: rightsOf('read'), account: 'Olga Owner', person: 'Ann Bell' },
});
/** An operator looks at the account. */
export const viewed = person('both', { view: { until: '2030-01-01T00:00:00.000Z' } });
export const suspended = person('both', { suspendedReason: 'Payments were disputed.' });
/** Has not confirmed their new address yet. */
export const moved = person('both', { isEmailVerified: false, previousEmail: 'before@site.example' });
/** Has not chosen a role yet. */
export const newcomer = person('buyer', { hasCompletedOnboarding: false });
