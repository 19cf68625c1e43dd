/** Acts about people’s sessions, operators and their requests, mail, jobs and the wait of everything outgoing. */
import { addOperatorForm, operatorForm, operatorRoleForm, reasonForm } from '#domain/operator/forms.ts';
import { OPERATOR_ROLES, ROLE_WORDS } from '#domain/operator/rights.ts';
import { instantText } from '#server/platform/http/dates.ts';
import { z } from 'zod';
import { EMAIL_FIELD, NOTHING, NUMBER, PERSON } from './act-targets.ts';
import { defineAct } from './define-act.ts';
import { inviteOperator, revokeInvitation } from '../invitations/invitations.ts';
import { dropJob, retryJob } from '../jobs.ts';
import { resendMail } from '../mail.ts';
import { releaseOutbound, waitingText } from '../outbound.ts';
import {
  addOperator,
  confirmRequest,
  declineRequest,
  removeOperator,
  setOperatorRole,
  requestWords,
} from '../requests/requests.ts';
import { operators } from '../rights.ts';
import { endSessionsOfPerson, resetSecondFactor } from '../people/sessions.ts';
import { viewAs } from '../people/view-as.ts';
import { VIEW_RIGHT } from '#server/platform/http/acting/view.ts';

export const REQUESTS = '/operator/requests';

export const END_SESSIONS = defineAct({
  summary: 'Sign a person out everywhere',
  right: 'support',
  of: PERSON,
  fields: reasonForm,
  run: endSessionsOfPerson,
  forms: [
    {
      path: '/operator/people/:id/end-sessions',
      button: 'End all sessions',
      note: 'The person is signed out everywhere and can sign in again.',
      reasons: ['The person asked for it.', 'A device was lost.', 'Somebody else may use the account.'],
    },
  ],
  command: { words: 'sessions end', says: ({ id, ended }) => `Ended ${ended} sessions of person ${id}.` },
});

export const RESET_SECOND_FACTOR = defineAct({
  summary: 'Turn off the second factor of a person who has lost it',
  right: 'support',
  of: PERSON,
  fields: reasonForm,
  run: resetSecondFactor,
  forms: [
    {
      path: '/operator/people/:id/reset-second-factor',
      button: 'Turn off two-step verification',
      note: 'For a person who has lost the phone and the recovery codes. Check the person’s identity first, for example by a call. They are signed out everywhere and get an e-mail.',
      reasons: [
        'The phone was lost. We called back to check who it is.',
        'The phone was replaced. We checked an identity document.',
      ],
      dangerous: true,
    },
  ],
  command: {
    words: 'second-factor off',
    says: (_, { id }) => `Two-step verification of person ${id} is off.`,
  },
});

export const VIEW_AS = defineAct({
  summary: 'Look at the product as a person, for 15 minutes and without changing anything',
  right: VIEW_RIGHT,
  of: PERSON,
  fields: reasonForm,
  run: viewAs,
  forms: [
    {
      path: '/operator/people/:id/view-as',
      title: 'View as this person',
      button: 'View as this person',
      confirm: 'View for 15 minutes',
      note: 'You see what this person sees, and can’t change anything. It ends by itself after 15 minutes. It’s in the audit trail with your reason. The person isn’t told and doesn’t see the reason. You can’t use the console meanwhile.',
      dangerous: true,
      harmful: false,
      reasons: [
        'They asked for help with what they see',
        'To reproduce a problem that they reported',
        'To check what a decision of ours looks like to them',
      ],
      says: () => 'You look at this account now. You can’t change anything.',
      next: () => '/',
    },
  ],
  command: null,
});

/** Why somebody becomes an operator. */
const JOINS = ['Joins the team', 'Stands in for another operator', 'Takes over moderation'];

const emailIn = ([email]: string[]) => ({ email });

export const ADD_OPERATOR = defineAct({
  summary: 'Make an existing account an operator',
  right: 'owner',
  of: EMAIL_FIELD,
  fields: addOperatorForm,
  run: addOperator,
  forms: [
    {
      path: '/operator/operators/add',
      button: 'Add an operator',
      confirm: 'Add the operator',
      note: 'The account must exist, and needs two-step verification before the console opens for it. It will be signed out. With two owners or more, another one confirms.',
      dangerous: true,
      harmful: false,
      reasons: JOINS,
      says: ({ email }, { role }) =>
        `${email} is an operator now: ${ROLE_WORDS[role]}. The console opens for them after two-step verification is on.`,
      next: ({ waits }) => (waits ? REQUESTS : null),
    },
  ],
  command: {
    words: 'operator add',
    takes: `[--role ${OPERATOR_ROLES.join('|')}]`,
    fields: emailIn,
    // The first operator of a server needs no more words than this.
    reason: 'Added by the command line',
    says: ({ email }, { role }, { config: { publicUrl } }) =>
      `${email} is an operator${role === 'owner' ? '' : ` with the role ${role}`}. The console at ${publicUrl}/operator opens after two-step verification is on.`,
    json: ({ id, email }, { role }) => ({ id, email, role }),
  },
});

export const INVITE_OPERATOR = defineAct({
  summary: 'Mail somebody an invitation to become an operator',
  right: 'owner',
  of: EMAIL_FIELD,
  fields: addOperatorForm,
  run: inviteOperator,
  forms: [
    {
      path: '/operator/operators/invite',
      button: 'Invite an operator',
      confirm: 'Send the invitation',
      note: 'The address needs no account yet. The mailed link works for seven days. With two owners or more, another one confirms when it is accepted.',
      dangerous: true,
      harmful: false,
      reasons: JOINS,
      says: ({ email, expiresAt }) =>
        `${email} gets an e-mail with a link, which works until ${instantText(expiresAt)}.`,
    },
  ],
  command: {
    words: 'operator invite',
    takes: `[--role ${OPERATOR_ROLES.join('|')}]`,
    fields: emailIn,
    reason: 'Invited by the command line',
    says: ({ id, email, expiresAt }) =>
      `${email} gets a mail with a link, which works until ${expiresAt.toISOString()}. To end it before: openslot operator uninvite ${id} --reason TEXT`,
  },
});

export const REVOKE_INVITATION = defineAct({
  summary: 'Revoke an invitation to become an operator',
  right: 'owner',
  of: NUMBER,
  fields: reasonForm,
  run: revokeInvitation,
  forms: [
    {
      path: '/operator/operators/invitations/:id/revoke',
      button: 'Revoke the invitation',
      note: 'The mailed link stops working. You can invite the address again.',
      dangerous: true,
      reasons: ['The address is wrong', 'They don’t join after all', 'The role is another one'],
    },
  ],
  command: {
    words: 'operator uninvite',
    says: ({ email }) =>
      email === null
        ? 'The link for the first operator no longer works.'
        : `The link that was mailed to ${email} no longer works.`,
  },
});

export const SET_OPERATOR_ROLE = defineAct({
  summary: 'Change what an operator may do. The last owner stays one',
  right: 'owner',
  of: EMAIL_FIELD,
  fields: operatorRoleForm,
  run: setOperatorRole,
  forms: [
    {
      path: '/operator/operators/role',
      title: 'Change the role of an operator',
      button: 'Change the role',
      note: 'It holds from the operator’s next click on. With two owners or more, another one confirms.',
      dangerous: true,
      harmful: false,
      reasons: ['New duties', 'Stands in for another operator', 'Needs fewer rights from now on'],
      says: ({ email }, { role }) => `${email} has a new role: ${ROLE_WORDS[role]}.`,
      next: ({ waits }) => (waits ? REQUESTS : null),
    },
  ],
  command: {
    words: 'operator role',
    takes: 'ROLE',
    fields: ([email, role]) => ({ email, role }),
    says: ({ email }, { role }) => `${email} has the role ${role} now.`,
    json: ({ id, email }, { role }) => ({ id, email, role }),
  },
});

export const REMOVE_OPERATOR = defineAct({
  summary: 'Remove the rights of an operator. The last owner stays',
  right: 'owner',
  of: EMAIL_FIELD,
  fields: operatorForm,
  run: removeOperator,
  forms: [
    {
      path: '/operator/operators/remove',
      title: 'Remove an operator',
      button: 'Remove the operator',
      note: 'The console closes for this account at once. The account itself stays. With two owners or more, another one confirms.',
      dangerous: true,
      reasons: ['Left the team', 'No longer needs the console', 'The account may be in the wrong hands'],
      next: async ({ waits }, operator, ctx) => {
        if (waits) return REQUESTS;
        // Operators who removed themselves no longer see the console.
        return (await operators(ctx)).some(({ id }) => id === operator.id) ? null : '/';
      },
    },
  ],
  command: {
    words: 'operator remove',
    fields: emailIn,
    says: ({ email }) => `${email} is no operator any more.`,
    json: ({ id, email }) => ({ id, email }),
  },
});

export const CONFIRM_REQUEST = defineAct({
  summary: 'Do what an operator has requested',
  right: 'money',
  of: NUMBER,
  fields: z.object({}),
  run: async (ctx, operator, { id }) => await confirmRequest(ctx, operator, id),
  forms: [
    {
      path: `${REQUESTS}/:id/confirm`,
      button: 'Confirm the request',
      note: 'It’s done now, with the reason of the operator who asked for it.',
      dangerous: true,
      reason: 'none',
    },
  ],
  command: {
    words: 'requests confirm',
    reason: null,
    says: (request, _, { config }) => `Done: ${requestWords(request, config.currency)}.`,
    json: ({ id }) => ({ id }),
  },
});

export const DECLINE_REQUEST = defineAct({
  summary: 'Refuse what an operator has requested, or take it back',
  right: 'money',
  of: NUMBER,
  fields: reasonForm,
  run: declineRequest,
  forms: [{ path: `${REQUESTS}/:id/decline`, button: 'Decline the request' }],
  command: {
    words: 'requests decline',
    says: (_, { id }) => `Declined request ${id}.`,
    json: ({ id }) => ({ id }),
  },
});

export const RESEND_MAIL = defineAct({
  summary: 'Send an unsent mail again',
  right: 'support',
  of: NUMBER,
  fields: reasonForm,
  run: resendMail,
  forms: [
    {
      path: '/operator/mail/:id/resend',
      button: 'Send again',
      note: 'The mail is queued again. It leaves within a minute, or when its address may have more mail: an address gets few mails an hour.',
      reasons: ['The person asked for it', 'The mail relay works again', 'The mailbox accepts mail again'],
    },
  ],
  command: { words: 'mail resend', says: (_, { id }) => `Mail ${id} is queued again.` },
});

export const RETRY_JOB = defineAct({
  summary: 'Run a job now',
  right: 'owner',
  of: NUMBER,
  fields: reasonForm,
  run: retryJob,
  forms: [
    {
      path: '/operator/jobs/:id/retry',
      button: 'Retry',
      title: 'Retry the job',
      note: 'It runs now, and has all of its tries again.',
      reasons: ['The cause is mended', 'The other service works again', 'A try while I watch the log'],
    },
  ],
  command: { words: 'jobs retry', says: (_, { id }) => `Job ${id} runs again now.` },
});

export const DROP_JOB = defineAct({
  summary: 'Remove a job for good',
  right: 'owner',
  of: NUMBER,
  fields: reasonForm,
  run: dropJob,
  forms: [
    {
      path: '/operator/jobs/:id/drop',
      button: 'Drop',
      title: 'Drop the job',
      confirm: 'Drop the job',
      note: 'It is removed for good, and what it had to do is never done. You can’t undo this.',
      dangerous: true,
      reasons: ['It can never succeed', 'What it is about no longer exists', 'Its work was done by hand'],
    },
  ],
  command: { words: 'jobs drop', says: (_, { id }) => `Job ${id} is dropped.` },
});

export const RELEASE_OUTBOUND = defineAct({
  summary: 'Release mail, refunds, payouts and provider calls',
  right: 'owner',
  of: NOTHING,
  fields: reasonForm,
  run: releaseOutbound,
  forms: [
    {
      path: '/operator/outbound/release',
      title: 'Release everything outgoing',
      button: 'Release',
      note: 'Everything that waits leaves within a minute. You can’t undo this. First make sure that the original server does not run any more.',
      dangerous: true,
      reasons: ['The original server doesn’t run any more', 'The move to this server is done'],
    },
  ],
  command: {
    words: 'outbound release',
    says: ({ waiting }) => `Released. Leaves within a minute: ${waitingText(waiting)}.`,
  },
});

export const ACCOUNT_ACTS = [
  END_SESSIONS,
  RESET_SECOND_FACTOR,
  VIEW_AS,
  ADD_OPERATOR,
  INVITE_OPERATOR,
  REVOKE_INVITATION,
  SET_OPERATOR_ROLE,
  REMOVE_OPERATOR,
  CONFIRM_REQUEST,
  DECLINE_REQUEST,
  RESEND_MAIL,
  RETRY_JOB,
  DROP_JOB,
  RELEASE_OUTBOUND,
];
