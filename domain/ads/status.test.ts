import { expect, it } from 'vitest';
import { AD_STATUSES, type AdAction, type AdStatus, canApply, move } from './status.ts';

const TABLE: Record<AdAction, [AdStatus | AdStatus[], AdStatus]> = {
  approve: ['pending', 'approved'],
  reject: ['pending', 'rejected'],
  resubmit: ['rejected', 'pending'],
  correct: ['pending', 'pending'],
  withdraw: [['pending', 'approved'], 'rejected'],
  expire: ['approved', 'rejected'],
  pay: ['approved', 'active'],
  complete: ['active', 'completed'],
  resume: ['completed', 'active'],
};

// Proves DASH-S-33, DASH-S-34, STATE-05, STATE-06, DASH-B-20
it.each(Object.entries(TABLE))('moves an ad by %s as %j', (action, [from, to]) => {
  expect(move(action as AdAction)).toEqual({ from: [from].flat(), to });
});

// Proves STATE-33, OP-067
it('refuses every action in all other statuses', () => {
  for (const [action, [from]] of Object.entries(TABLE)) {
    for (const status of AD_STATUSES)
      expect(canApply(action as AdAction, status)).toBe([from].flat().includes(status));
  }
});

// Proves ENT-29
it('has exactly five statuses', () => {
  expect(AD_STATUSES).toEqual(['pending', 'approved', 'rejected', 'active', 'completed']);
});
