import type http from 'node:http';

/** An AI agent or an automated browser that says what it is. */
export type Agent = {
  /** At most 100 characters. */
  name: string;
  /** A browser under the control of a program, as developers use it for their own tests. */
  isAutomation: boolean;
};

/** The name of an agent whose Signature-Agent has no address with a host of ordinary characters. */
export const UNNAMED = 'unnamed';
const HOST = /^[a-z0-9.-]{1,100}$/;

/** The words by which known agents name themselves in User-Agent while they browse for a person. Crawlers are robots. */
const KNOWN_AGENT = anyOf(
  'ChatGPT-User',
  'Claude-User',
  'Perplexity-User',
  'MistralAI-User',
  'Google-Agent',
  'Gemini-Deep-Research',
  'DuckAssistBot',
  'Meta-ExternalFetcher',
  'Amzn-User',
  'NovaAct',
  'Manus-User',
);
/** The words by which automated browsers and their drivers name themselves, in User-Agent or Sec-CH-UA. */
const AUTOMATION = anyOf('HeadlessChrome', 'Playwright', 'Puppeteer', 'Selenium', 'PhantomJS', 'Cypress');

/** One pass over the text takes a quarter of the time that a search for each word takes. */
function anyOf(...words: readonly string[]): RegExp {
  return new RegExp(words.join('|'));
}

/** The agent that a User-Agent names. `browserOf` remembers it. */
export function agentIn(userAgent: string): Agent | null {
  const name = KNOWN_AGENT.exec(userAgent)?.[0];
  return name === undefined ? automationIn(userAgent) : { name, isAutomation: false };
}

function automationIn(text: string): Agent | null {
  const name = AUTOMATION.exec(text)?.[0];
  return name === undefined ? null : { name, isAutomation: true };
}

/**
 * The agent that made a request, or null. `browser` is that of its User-Agent. Agents that sign their requests name their
 * operator in Signature-Agent, and mark the signature with the tag web-bot-auth
 * (https://datatracker.ietf.org/doc/draft-meunier-web-bot-auth-architecture). The signature (RFC 9421) is not verified, because
 * nobody gains by a false declaration. [DEL-19, AGNT-200]
 */
export function agentOf(headers: http.IncomingHttpHeaders, browser: { agent: Agent | null }): Agent | null {
  const operator = headers['signature-agent'];
  if (operator) return { name: hostIn(String(operator)), isAutomation: false };
  if (browser.agent !== null) return browser.agent;
  const brands = headers['sec-ch-ua'];
  const automation = typeof brands === 'string' ? automationIn(brands) : null;
  if (automation !== null) return automation;
  const input = headers['signature-input'];
  const isSigned = typeof input === 'string' && input.includes('tag="web-bot-auth"');
  return isSigned ? { name: UNNAMED, isAutomation: false } : null;
}

/** Whether the agent's events do not count. Development mode only notes automation, because a developer's browser may be automated. */
export function isFiltered(agent: Agent | null, developmentMode: boolean): boolean {
  return agent !== null && !(developmentMode && agent.isAutomation);
}

/** The host of the first address: 'sig1="https://Agent.example:443/x"' -> 'agent.example'. */
function hostIn(operator: string): string {
  const address = /https?:\/\/[^\s"'<>,;]+/i.exec(operator)?.[0] ?? '';
  const host = URL.parse(address)?.hostname ?? '';
  return HOST.test(host) ? host : UNNAMED;
}
