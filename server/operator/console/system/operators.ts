import { listOperators } from '#domain/operator/console/operators-contract.ts';
import { OPERATOR_ROLES, type OperatorRole, ROLE_WORDS } from '#domain/operator/rights.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import {
  ADD_OPERATOR,
  INVITE_OPERATOR,
  REMOVE_OPERATOR,
  REVOKE_INVITATION,
  SET_OPERATOR_ROLE,
} from '../../acts/acts-of-accounts.ts';
import { formOf, offers } from '../../acts/define-act.ts';
import { openInvitations } from '../../invitations/invitations.ts';
import { operators } from '../../rights.ts';

const ADDRESS = { name: 'email', label: 'Email address', kind: 'email', isRequired: true, max: 254 } as const;

/** `value` is what is chosen at first. */
const roleField = (value: OperatorRole | '', roles: readonly OperatorRole[] = OPERATOR_ROLES) => ({
  name: 'role',
  label: 'Role',
  kind: 'choice' as const,
  value,
  isRequired: true,
  choices: roles.map((role) => ({ value: role, label: ROLE_WORDS[role] })),
});

export const operatorRoutes: Route[] = [
  route(listOperators, { access: 'operator' }, async (ctx, who) => {
    const all = await operators(ctx);
    const owners = all.filter(({ role }) => role === 'owner').length;
    return {
      operators: await Promise.all(
        all.map(async ({ id, email, role, addedAt }) => {
          const isLastOwner = role === 'owner' && owners === 1;
          const others = OPERATOR_ROLES.filter((each) => each !== role);
          return {
            id,
            email,
            role,
            addedAt: addedAt.toISOString(),
            isLastOwner,
            acts: await offers([
              !isLastOwner &&
                formOf(SET_OPERATOR_ROLE).offer(ctx, who, {
                  hidden: { email },
                  fields: [roleField('', others)],
                }),
              !isLastOwner && formOf(REMOVE_OPERATOR).offer(ctx, who, { hidden: { email } }),
            ]),
          };
        }),
      ),
      invitations: await Promise.all(
        (await openInvitations(ctx)).map(async ({ id, email, role, expiresAt }) => ({
          id,
          email,
          role,
          expiresAt: expiresAt.toISOString(),
          acts: await offers([formOf(REVOKE_INVITATION).offer(ctx, who, { ids: { id } })]),
        })),
      ),
      acts: await offers(
        [INVITE_OPERATOR, ADD_OPERATOR].map((act) =>
          formOf(act).offer(ctx, who, { fields: [ADDRESS, roleField('')] }),
        ),
      ),
    };
  }),
];
