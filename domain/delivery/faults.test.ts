import { expect, it } from 'vitest';
import { causeForWebsite, causeOf, FAULT_CAUSES, faultText } from './fault-causes.ts';
import { dominanceOf, FAULT_KINDS, FAULT_OF, isSilent, isUsual, type ReasonSum, showsEnd } from './faults.ts';
import { REASONS } from './reasons.ts';

const report = (reason: ReasonSum['reason'], n: number): ReasonSum => ({ isRequest: false, reason, n });
const request = (reason: ReasonSum['reason'], n: number): ReasonSum => ({ isRequest: true, reason, n });

it.each([
  ['exactly nine tenths', [report('no_proof', 90), report('', 10)], null],
  ['more than nine tenths', [report('no_proof', 91), report('', 9)], 'no_proof'],
  ['49 reports', [report('no_proof', 49)], null],
  [
    'what can be no fault beside it',
    [report('no_proof', 50), report('agent', 40), report('ceiling', 9)],
    'no_proof',
  ],
  ['two reasons of one fault', [report('duplicate', 30), report('expired', 30), report('', 2)], 'repeated'],
  ['two faults', [report('no_proof', 50), report('bot', 50)], null],
  ['requests, while the reports count', [request('wrong_site', 990), request('', 10), report('', 60)], null],
  ['requests, without reports', [request('wrong_site', 99), request('', 1)], 'wrong_site'],
  ['a bonus', [report('over_goal', 500)], null],
  ['forged reports beside it', [report('no_proof', 60), report('forged', 500)], 'no_proof'],
  ['forged reports beside good ones', [report('', 40), report('forged', 500)], 'forged'],
] as const)(
  'finds the fault that takes more than nine tenths of at least 50 reports: %s',
  (_, sums, kind) => {
    expect(dominanceOf(sums)?.kind ?? null).toBe(kind);
  },
);

it('a fault is over at half of the reports, and usual after three of seven days', () => {
  expect(showsEnd('no_proof', [report('no_proof', 51), report('', 49)])).toBe(false);
  expect(showsEnd('no_proof', [report('no_proof', 50), report('', 50)])).toBe(true);
  expect(showsEnd('no_proof', [report('', 49)])).toBe(false);
  const day = [report('bot', 60)];
  expect(isUsual('bot', [day, day, [report('', 60)]])).toBe(false);
  expect(isUsual('bot', [day, day, day])).toBe(true);
});

it('an hour is silent if the same hour of the day and of the week before was busy', () => {
  expect([isSilent(50, null), isSilent(50, 50), isSilent(50, 0), isSilent(49, null)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

it('each fault has a cause with sentences for both readers, and each reason says whether it can be one', () => {
  expect(Object.keys(FAULT_OF).toSorted()).toEqual(REASONS.toSorted());
  const figures = { counted: 'reports', total: 1234, refused: 1233 } as const;
  for (const cause of FAULT_CAUSES)
    for (const reader of ['publisher', 'operator'] as const) {
      const { title, next, evidence, ...text } = faultText(reader, { kind: 'no_proof', cause, ...figures });
      for (const sentence of [text.cause, next]) expect(sentence).toMatch(/[.]$/);
      expect(title).not.toMatch(/[.]$/);
      expect(evidence).toContain('99 % of 1,234 views and clicks');
    }
  const facts = { n: 0, privateAddress: 0, sameNetwork: 0, imaPlayer: 0, strippedHeaders: 0 };
  for (const kind of FAULT_KINDS.filter((each) => each !== 'bot'))
    for (const isInstallation of [true, false])
      expect(FAULT_CAUSES).toContain(causeOf(kind, { isInstallation, isOneSite: false, facts }));
});

it('a website has the cause of its installation only if the operator can mend it', () => {
  expect(causeForWebsite('few_visitors', 'private_address')).toBe('private_address');
  expect(causeForWebsite('other_site', 'other_site')).toBe('other_site');
  expect(causeForWebsite('page_scripts', undefined)).toBe('page_scripts');
});
