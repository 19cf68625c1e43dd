/** The call of the console's page of operators. */
import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, instant } from '../../fields.ts';
import { OPERATOR_ROLES } from '../rights.ts';
import { offeredAct } from './act-contract.ts';

const role = z.enum(OPERATOR_ROLES);

export const listOperators = endpoint({
  method: 'GET',
  path: '/api/operator/operators',
  summary: 'The operators, and the open invitations',
  reply: z.object({
    operators: z.array(
      z.object({
        id,
        email: z.string(),
        role,
        addedAt: instant,
        /** The role can't change, and the operator can't be removed. */
        isLastOwner: z.boolean(),
        acts: z.array(offeredAct),
      }),
    ),
    invitations: z.array(
      z.object({ id, email: z.string(), role, expiresAt: instant, acts: z.array(offeredAct) }),
    ),
    acts: z.array(offeredAct),
  }),
});
