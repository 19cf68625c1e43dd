/** Acts about faults of the installation's delivery. */
import { reasonForm } from '#domain/operator/forms.ts';
import { expectFaultByOperator } from '../faults/faults.ts';
import { NUMBER } from './act-targets.ts';
import { defineAct } from './define-act.ts';

export const EXPECT_FAULT = defineAct({
  summary: 'Mark a fault of the installation as expected, by its number in `doctor`, for 30 days',
  right: 'owner',
  of: NUMBER,
  fields: reasonForm,
  run: expectFaultByOperator,
  forms: [{ path: '/operator/faults/:id/expect', page: 'faults', button: 'This is expected' }],
  command: {
    words: 'faults expect',
    says: ({ title }, { id }) => `Fault ${id}, “${title}”, is expected. It is no alarm for 30 days.`,
    json: ({ title }, { id }) => ({ id, title }),
  },
});

export const FAULT_ACTS = [EXPECT_FAULT];
