import { endpoint } from '../endpoint.ts';
import { okReply } from '../fields.ts';

export const endView = endpoint({
  method: 'POST',
  path: '/api/account/end-view',
  summary: 'As an operator, stop looking at the account of another person',
  reply: okReply,
});
