/**
 * Answers js.stripe.com and hooks.stripe.com with a script and frames of our own, since no test uses the network. To
 * our page, they behave like Stripe's: fields in a frame of another origin, calls of the API from the page, the bank's
 * window in place or by redirect.
 */
import type { Page } from 'playwright-core';
import type { StripeServer } from '../../server/testing/stripe/stripe-server.ts';

/** `bank` says where 3-D Secure happens. A `slow` bank leaves the payment in processing. */
export type StripeBehavior = { bank?: 'in place' | 'redirect'; slow?: boolean };

export async function playStripe(
  page: Page,
  server: StripeServer,
  { bank = 'in place', slow = false }: StripeBehavior = {},
): Promise<void> {
  await page.route('https://js.stripe.com/**', async (route) =>
    route.request().resourceType() === 'script'
      ? await route.fulfill({ contentType: 'text/javascript', body: scriptOf(server.url, bank, slow) })
      : await route.fulfill({ contentType: 'text/html', body: CARD_FRAME }),
  );
  await page.route('https://hooks.stripe.com/**', async (route) =>
    route.fulfill({ contentType: 'text/html', body: BANK_FRAME }),
  );
}

const CARD_FRAME = `<!doctype html><html lang="en"><title>Secure payment input frame</title>
<label>Card number <input id="number" inputmode="numeric"></label>
<script>
number.oninput = () => parent.postMessage({ number: number.value }, '*');
</script></html>`;

const BANK_FRAME = `<!doctype html><html lang="en"><title>Your bank</title>
<button onclick="parent.postMessage({ outcome: 'complete' }, '*')">Complete</button>
<button onclick="parent.postMessage({ outcome: 'fail' }, '*')">Fail</button></html>`;

function scriptOf(api: string, bank: 'in place' | 'redirect', slow: boolean): string {
  return `(() => {
  const ask = async (call, body) => {
    const answer = await fetch('${api}/stand-in/' + call, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return answer.json();
  };
  const frameOf = (src, title) => {
    const frame = document.createElement('iframe');
    frame.src = src;
    frame.title = title;
    frame.style.cssText = 'border:0;width:100%;height:5rem';
    return frame;
  };
  const answerOf = (frame, name) => new Promise((resolve) => {
    addEventListener('message', function listen(event) {
      if (event.source !== frame.contentWindow || !(name in event.data)) return;
      removeEventListener('message', listen);
      resolve(event.data[name]);
    });
  });
  const authenticate = async (clientSecret, returnUrl) => {
    if ('${bank}' === 'redirect') {
      location.href = '${api}/stand-in/bank?' + new URLSearchParams({ clientSecret, returnUrl });
      return new Promise(() => {});
    }
    const frame = frameOf('https://hooks.stripe.com/3d_secure.html', 'Your bank');
    document.body.append(frame);
    frame.scrollIntoView();
    const outcome = await answerOf(frame, 'outcome');
    frame.remove();
    return ask('authenticate', { clientSecret, outcome });
  };
  const elements = ({ clientSecret, appearance }) => {
    let number = '';
    let element = null;
    return {
      clientSecret,
      appearance,
      card: () => number,
      create: (type) => {
        const listeners = {};
        element = {
          _type: type,
          on: (name, listener) => (listeners[name] = listener, element),
          once: (name, listener) => (listeners[name] = listener, element),
          off: () => element,
          mount: (place) => {
            const frame = frameOf('https://js.stripe.com/card.html', 'Secure payment input frame');
            addEventListener('message', (event) => {
              if (event.source === frame.contentWindow && 'number' in event.data) number = event.data.number;
            });
            frame.onload = () => listeners.ready?.(element);
            place.append(frame);
          },
          update: () => {}, unmount: () => {}, destroy: () => {}, blur: () => {}, clear: () => {}, focus: () => {},
        };
        return element;
      },
      getElement: () => element,
      update: (changes) => { window.stripeAppearance = changes.appearance; },
      submit: async () => ({}),
      fetchUpdates: async () => ({}),
    };
  };
  window.Stripe = (key, options) => ({
    key, options,
    elements: (given) => (window.stripeAppearance = given.appearance, elements(given)),
    createToken() {}, createPaymentMethod() {}, confirmCardPayment() {}, registerAppInfo() {}, _registerWrapper() {},
    confirmPayment: async ({ elements, confirmParams, redirect }) => {
      if (redirect !== 'if_required') throw new Error('redirect: ' + redirect);
      const { clientSecret } = elements;
      const number = elements.card();
      if (number === '') return { error: { type: 'validation_error', message: 'Your card number is incomplete.' } };
      const result = await ask('${slow ? 'process' : 'confirm'}', { clientSecret, number });
      if (result.paymentIntent?.status !== 'requires_action') return result;
      return authenticate(clientSecret, confirmParams.return_url);
    },
  });
  window.Stripe.version = 'endive';
})();`;
}
