import type { FastifyInstance } from 'fastify';
import type { Config } from '../../settings/config.ts';

export type Directives = Record<string, string[]>;

/** The content security policy of the web application: everything comes from this server and the delivery address. */
export function appDirectives({ publicUrl, deliveryUrl }: Config): Directives {
  return {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'", deliveryUrl],
    styleSrc: ["'self'"],
    // React and Radix set style attributes. A style attribute cannot run code.
    styleSrcAttr: ["'unsafe-inline'"],
    imgSrc: ["'self'", deliveryUrl, 'data:', 'blob:'],
    mediaSrc: ["'self'", deliveryUrl, 'blob:'],
    connectSrc: ["'self'", deliveryUrl],
    frameSrc: ["'self'", deliveryUrl],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
    ...(publicUrl.startsWith('https:') && { upgradeInsecureRequests: [] }),
  };
}

const SCRIPT = 'https://js.stripe.com';

/** The hosts of the card form's script and frames, and those that they call. */
function withStripe(directives: Directives, apiBase: string | undefined): Directives {
  const more: Directives = {
    scriptSrc: [SCRIPT],
    // The second host shows the bank's page for 3-D Secure.
    frameSrc: [SCRIPT, 'https://hooks.stripe.com'],
    connectSrc: ['https://api.stripe.com', ...(apiBase === undefined ? [] : [apiBase])],
  };
  return Object.fromEntries(
    Object.entries(directives).map(([name, sources]) => [name, [...sources, ...(more[name] ?? [])]]),
  );
}

/**
 * Allows Stripe's hosts on the documents of the checkout, and nowhere else. Wallets open a window, which the policy of
 * all other pages would cut off from the page that opened it.
 */
export function allowStripeAtCheckout(app: FastifyInstance, config: Config): void {
  const { stripe } = config;
  if (!stripe) return;
  const policy = textOf(withStripe(appDirectives(config), stripe.apiBase));
  app.addHook('onRequest', async (request, reply) => {
    if (!request.url.startsWith('/checkout/')) return;
    void reply
      .header('content-security-policy', policy)
      .header('cross-origin-opener-policy', 'same-origin-allow-popups');
  });
}

function textOf(directives: Directives): string {
  return Object.entries(directives)
    .map(([name, sources]) =>
      [name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), ...sources].join(' '),
    )
    .join(';');
}
