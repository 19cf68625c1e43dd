/** The lists and settings of the stand-in for Stripe that its dashboard would show. */
import { metadataOf, type Operations, Refused, type StripeAccount, type StripeObject } from './account.ts';

/** `url` is the address of the stand-in. */
export function openDashboard(account: StripeAccount, url: () => string) {
  const { all, add, get, newId, pageOf, seconds, events } = account;
  const endpoints: StripeObject[] = [];

  const operations: Operations = {
    'GET /v1/events': (given) => {
      const wanted = events
        .toReversed()
        .filter(
          ({ pending_webhooks: pending }) =>
            given['delivery_success'] === undefined ||
            (given['delivery_success'] === 'true') === (pending === 0),
        );
      return pageOf(wanted, given, '/v1/events');
    },

    'POST /v1/billing_portal/sessions': (given) => {
      get(given['customer'], 'customer');
      if (given['configuration'] === undefined) {
        throw new Refused(400, {
          type: 'invalid_request_error',
          message:
            "You can't create a portal session in test mode until you save your customer portal settings in test mode.",
        });
      }
      get(given['configuration'], 'billing_portal.configuration');
      const id = newId('bps');
      return { ...given, id, object: 'billing_portal.session', url: `${url()}/portal/${id}` };
    },
    'GET /v1/billing_portal/configurations': (given) =>
      pageOf(all('billing_portal.configuration'), given, '/v1/billing_portal/configurations'),
    'POST /v1/billing_portal/configurations': (given) =>
      add({
        ...given,
        id: newId('bpc'),
        object: 'billing_portal.configuration',
        active: true,
        created: seconds(),
        metadata: metadataOf(given),
      }),

    'GET /v1/payment_method_domains': (given) =>
      pageOf(
        all('payment_method_domain').filter(({ domain_name: name }) => name === given['domain_name']),
        given,
        '/v1/payment_method_domains',
      ),
    'POST /v1/payment_method_domains': ({ domain_name: name }) =>
      add({
        id: newId('pmd'),
        object: 'payment_method_domain',
        domain_name: name,
        enabled: true,
        created: seconds(),
        apple_pay: { status: 'active' },
        google_pay: { status: 'active' },
        link: { status: 'active' },
      }),
    'GET /v1/webhook_endpoints': (given) => pageOf(endpoints, given, '/v1/webhook_endpoints'),
  };

  return { operations, endpoints };
}
