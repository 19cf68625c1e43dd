/**
 * Writes server/testing/stripe-contract.json: the parameters of the operations of Stripe's API that we use, by which
 * server/testing/stripe/stripe-server.ts checks every request of ours.
 *
 *   node lab/stripe-contract.mjs CONTRACT.json.gz
 *
 * CONTRACT is a list of all operations of the pinned API version, extracted from the types of the official package
 * (stripe@23.1.0): `ops` with the id, method, path and parameters of each operation, and `defs` with the types that they
 * refer to. A parameter that we do not send is kept by its name only, so that the file stays readable. Add it to
 * OPERATIONS before you send it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { root } from '../scripts/node.mjs';

const LIST = ['limit', 'starting_after', 'ending_before', 'expand'];

/**
 * The operations that we call, each with the parameters that we send.
 * @type {Record<string, string[]>}
 */
const OPERATIONS = {
  'POST /v1/customers': ['email', 'name', 'metadata'],
  'DELETE /v1/customers/{id}': [],
  'POST /v1/payment_intents': [
    'amount',
    'currency',
    'customer',
    'automatic_payment_methods',
    'transfer_group',
    'description',
    'metadata',
    'expand',
  ],
  'GET /v1/payment_intents': ['created', ...LIST],
  'GET /v1/payment_intents/{id}': ['expand'],
  'POST /v1/payment_intents/{id}/cancel': ['expand'],
  'POST /v1/payment_intents/{id}/confirm': ['payment_method', 'off_session', 'return_url'],
  'POST /v1/setup_intents': ['customer', 'usage', 'allowed_payment_method_types', 'metadata'],
  'GET /v1/setup_intents/{id}': ['expand'],
  'POST /v1/payment_methods/{id}/detach': [],
  'POST /v1/refunds': ['payment_intent', 'amount', 'metadata', 'expand'],
  'GET /v1/refunds': ['payment_intent', ...LIST],
  'GET /v1/refunds/{id}': ['expand'],
  'GET /v1/disputes/{id}': [],
  'POST /v1/disputes/{id}': ['evidence', 'submit'],
  'GET /v1/radar/early_fraud_warnings/{id}': [],
  'GET /v1/reviews/{id}': [],
  'POST /v1/transfers': [
    'amount',
    'currency',
    'destination',
    'source_transaction',
    'transfer_group',
    'metadata',
    'expand',
  ],
  'GET /v1/transfers': ['transfer_group', ...LIST],
  'GET /v1/transfers/{id}': ['expand'],
  'POST /v1/transfers/{id}/reversals': ['amount', 'metadata', 'expand'],
  'GET /v1/payouts': ['created', ...LIST],
  'GET /v1/events': ['created', 'delivery_success', ...LIST],
  'GET /v1/balance_transactions': ['created', 'payout', ...LIST],
  'POST /v1/billing_portal/sessions': ['customer', 'return_url', 'configuration'],
  'GET /v1/billing_portal/configurations': ['active', ...LIST],
  'POST /v1/billing_portal/configurations': ['features', 'default_return_url', 'metadata'],
  'GET /v1/payment_method_domains': ['domain_name', ...LIST],
  'POST /v1/payment_method_domains': ['domain_name'],
  'GET /v1/webhook_endpoints': LIST,
  'POST /v2/core/accounts': [
    'contact_email',
    'display_name',
    'dashboard',
    'identity',
    'defaults',
    'configuration',
    'metadata',
    'include',
  ],
  'GET /v1/accounts/{id}/external_accounts': LIST,
  'GET /v2/core/accounts/{id}': ['include'],
  'POST /v2/core/accounts/{id}/close': ['applied_configurations'],
  'POST /v2/core/account_links': ['account', 'use_case'],
};

const [source] = process.argv.slice(2);
if (!source) throw new Error('Give the path of the contract: node lab/stripe-contract.mjs CONTRACT.json.gz');
const contract = JSON.parse(gunzipSync(readFileSync(source)).toString());

const operations = Object.fromEntries(
  Object.entries(OPERATIONS).map(([call, sent]) => {
    const [method, address] = call.split(' ');
    const found = contract.ops.find(
      (/** @type {{ m: string; p: string }} */ op) => op.m === method && op.p === address,
    );
    if (!found) throw new Error(`The contract has no operation ${call}`);
    const known = found.q === undefined ? {} : contract.defs[found.q].p;
    const unknown = sent.filter((name) => !(name in known));
    if (unknown.length > 0) throw new Error(`${call} has no parameter ${unknown.join(', ')}`);
    const parameters = Object.fromEntries(
      Object.entries(known)
        .filter(([name]) => sent.includes(name))
        .map(([name, type]) => [name, inline(type)]),
    );
    const unused = Object.keys(known).filter((name) => !sent.includes(name));
    const required = unused.filter((name) => !known[name].opt);
    if (required.length > 0) throw new Error(`${call} needs ${required.join(', ')}`);
    return [call, { id: found.id, parameters, unused }];
  }),
);

/**
 * Replaces references by the types that they name.
 * @param {any} type
 * @returns {any}
 */
function inline(type) {
  if (Array.isArray(type)) return type.map(inline);
  if (type === null || typeof type !== 'object') return type;
  if (!('r' in type)) {
    return Object.fromEntries(Object.entries(type).map(([key, value]) => [key, inline(value)]));
  }
  const { r, ...rest } = type;
  return { k: 'o', p: inline(contract.defs[r].p), ...rest };
}

const { apiVersion, package: from } = contract;
writeFileSync(
  path.join(root, 'server/testing/stripe-contract.json'),
  `${JSON.stringify({ apiVersion, from, operations }, null, 1)}\n`,
);
