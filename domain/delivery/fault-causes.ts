/** The cause of a fault, as far as its reason and a few facts about the refused requests tell, and the remedy. */
import { countText } from '../format.ts';
import { REASON_TEXTS } from './reason-texts.ts';
import type { Dominance, FaultKind } from './faults.ts';

export const FAULT_CAUSES = [
  'page_scripts',
  'reports_altered',
  'stored_answers',
  'ima_player',
  'other_site',
  'tag_gone',
  'tag_stopped',
  'unreachable',
  'private_address',
  'one_network',
  'few_visitors',
  'headers_removed',
  'programs',
  'hidden_by_cdn',
  'data_centers',
  'foreign_tokens',
  'reason_only',
] as const;
export type FaultCause = (typeof FAULT_CAUSES)[number];

/**
 * How many refused requests of a fault had a trait (server/delivery/traffic/refused-facts.ts). Nothing else of them is
 * kept.
 */
export type FaultFacts = {
  n: number;
  /** From a private address, which no visitor of a public website has. */
  privateAddress: number;
  /** From the network from which most of the others came. */
  sameNetwork: number;
  /** From Google's IMA player, which requests ads under an address of its own. */
  imaPlayer: number;
  /** Without a header that every browser sends, or in the name of a proxy. */
  strippedHeaders: number;
};

/** This share of the refused requests shows a cause. */
const MOST = 0.8;

export type FaultSetting = {
  /** False for a website. */
  isInstallation: boolean;
  /** Whether nearly all of an installation's refused requests are of one website. */
  isOneSite: boolean;
  facts: FaultFacts;
};

/** The cause of a fault; null if it is none: robots that name themselves visit every website. */
export function causeOf(
  kind: FaultKind,
  { isInstallation, isOneSite, facts }: FaultSetting,
): FaultCause | null {
  const isMost = (n: number) => n > 0 && n >= facts.n * MOST;
  const isEverywhere = isInstallation && !isOneSite;
  // A program that sends them from one place leaves headers out, too.
  const areRemoved = isMost(facts.strippedHeaders) && !isMost(facts.sameNetwork);
  switch (kind) {
    case 'no_proof':
      return isEverywhere ? 'reports_altered' : 'page_scripts';
    case 'repeated':
      return 'stored_answers';
    case 'limits':
      if (isMost(facts.privateAddress)) return 'private_address';
      return isMost(facts.sameNetwork) ? 'one_network' : 'few_visitors';
    case 'wrong_site':
      if (isMost(facts.imaPlayer)) return 'ima_player';
      return isEverywhere && areRemoved ? 'headers_removed' : 'other_site';
    case 'bot':
      if (!isMost(facts.strippedHeaders)) return null;
      return areRemoved ? 'headers_removed' : 'programs';
    case 'not_a_browser':
      return isInstallation && areRemoved ? 'headers_removed' : 'programs';
    case 'data_center':
      return isInstallation ? 'hidden_by_cdn' : 'data_centers';
    case 'forged':
      return 'foreign_tokens';
    case 'silent':
      return isEverywhere ? 'unreachable' : 'tag_gone';
    default:
      return 'reason_only';
  }
}

/** The causes that only the operator can mend. A website has them because its installation has them. */
const OF_INSTALLATION: ReadonlySet<FaultCause> = new Set([
  'reports_altered',
  'unreachable',
  'private_address',
  'one_network',
  'headers_removed',
  'hidden_by_cdn',
  'foreign_tokens',
]);

/** The cause of a website's fault, given that of the installation's fault of the same kind, if there is one. */
export function causeForWebsite(own: FaultCause, ofInstallation: FaultCause | undefined): FaultCause {
  return ofInstallation !== undefined && OF_INSTALLATION.has(ofInstallation) ? ofInstallation : own;
}

/** `cause` says what is wrong, and `next` what to do about it. */
type Text = { title: string; cause: string; next: string };

const OPERATOR_KNOWS = 'You don’t need to change anything on your website. We’ve told the operator.';

/** The text for the publisher of the website. */
const FOR_PUBLISHER: Record<FaultCause, Text> = {
  page_scripts: {
    title: 'A script on your pages breaks the tag',
    cause:
      'A script on your pages replaces built-in functions of the browser, so the tag can’t prove that it rendered the ad. Most often a cache or optimizer keeps an old copy of our script beside Prototype or MooTools, which come with Magento, Joomla 3 and XWiki.',
    next: 'Empty the cache of your optimizer, so that your pages load our current script. If that doesn’t help, update or remove the other script, or embed the ad zone as a sandboxed iframe instead: its code is under “Other ways” in the zone’s embed code.',
  },
  reports_altered: {
    title: 'Reports arrive changed',
    cause:
      'The reports of all websites arrive without the proof that the ad was rendered, so something in front of this marketplace changes them.',
    next: OPERATOR_KNOWS,
  },
  stored_answers: {
    title: 'A cache on your website shows stored ads',
    cause:
      'A service worker or cache on your website stores our ad answers and shows them again. Each answer counts once, and later reports of it are repeated or too late.',
    next: 'Exclude this marketplace’s address from the service worker or cache of your website, for example in the settings of your PWA or cache plug-in. Then reload a page twice, and check its ad requests under “Test my zone”.',
  },
  ima_player: {
    title: 'Your video player hides your website',
    cause:
      'Your video player uses Google’s IMA, which requests ads from imasdk.googleapis.com instead of your website. We can’t see that the request is yours, so it doesn’t count.',
    next: 'Use the code for Google IMA, which is under “Other ways”, “Video player” in the zone’s embed code. Your page then gets the address of the player first, so that we know your website.',
  },
  other_site: {
    title: 'Your ad zones are on another website',
    cause:
      'The pages that request ads for your ad zones aren’t on the address of this website. Views elsewhere don’t count.',
    next: 'If your website has moved, add its new address under “Ad Zones” and use the new embed codes. Otherwise find out who uses your embed code.',
  },
  tag_gone: {
    title: 'Your pages no longer request ads',
    cause:
      'For a full hour, no page of your website has requested an ad, although this hour usually has many requests. The tag may be missing, or a speed plug-in (Autoptimize, WP Rocket, LiteSpeed, Rocket Loader) combines, delays or moves its script, so that it never runs.',
    next: 'Open a page and look for the embed code. If it’s there, exclude our script from the plug-in’s optimization, and empty its cache. If your website was offline, ignore this message.',
  },
  tag_stopped: {
    title: 'Your pages load the tag, but request no ads',
    cause:
      'Pages of your website load our script, but it no longer requests ads. A speed plug-in (Autoptimize, WP Rocket, LiteSpeed, Rocket Loader) or a content security policy may change how it runs.',
    next: 'Exclude our script from the plug-in’s optimization, and empty its cache. Then open a page: the browser’s console says if a policy blocks the request.',
  },
  unreachable: {
    title: 'No ad request reaches this marketplace',
    cause: 'For a full hour, this marketplace has received no ad request from any website.',
    next: OPERATOR_KNOWS,
  },
  private_address: {
    title: 'Your visitors look like one visitor to us',
    cause:
      'A proxy in front of this marketplace hides the addresses of visitors, so all of them seem to have one address and reach our limits.',
    next: OPERATOR_KNOWS,
  },
  one_network: {
    title: 'Nearly all reports come from one network',
    cause:
      'Nearly all views and clicks that don’t count come from one network, and one network can’t have so many visitors. A proxy may hide the addresses of your visitors from us, or somebody sends these reports.',
    next: 'We’ve told the operator if other websites have this too. If your visitors share one network, such as a school or a company, this is expected.',
  },
  few_visitors: {
    title: 'A few visitors cause nearly all reports',
    cause: 'Nearly all views and clicks come from visitors who have reached our limits.',
    next: 'If you or your colleagues test the pages, this is expected. Otherwise look in your website’s log for visitors who reload pages automatically.',
  },
  headers_removed: {
    title: 'Requests arrive without the headers of a browser',
    cause:
      'A CDN or firewall in front of this marketplace removes headers that every browser sends, so your visitors look like robots.',
    next: OPERATOR_KNOWS,
  },
  programs: {
    title: 'Nearly all reports come from programs',
    cause:
      'Nearly all reports lack what the browser that they name would send, so programs send them instead of visitors. A company’s proxy can look like this, too.',
    next: 'Look in your website’s log for visitors who open many pages, and block them. If you run tests or a crawler on your website, this is expected.',
  },
  hidden_by_cdn: {
    title: 'Your visitors seem to come from a data center',
    cause:
      'Visitors of all websites seem to come from a data center, most likely because a CDN in front of this marketplace hides their addresses.',
    next: OPERATOR_KNOWS,
  },
  data_centers: {
    title: 'Nearly all reports come from data centers',
    cause: 'Nearly all reports come from addresses in data centers, where servers run and people rarely are.',
    next: 'Look in your website’s log for programs that open your pages, and block them. If your visitors use a VPN or a company’s network in the cloud, this is expected.',
  },
  foreign_tokens: {
    title: 'Reports don’t match this marketplace',
    cause: 'Reports carry signatures that this marketplace didn’t make.',
    next: OPERATOR_KNOWS,
  },
  reason_only: {
    title: 'Nearly all reports are refused',
    cause: 'One reason refuses nearly all reports of your website.',
    next: 'Open “Test my zone” for one of your ad zones, and open a page of your website: the test shows each request and why it doesn’t count.',
  },
};

/** The text for the operator, where it differs: about a fault of the installation, or one of a website that only the operator can mend. */
const FOR_OPERATOR: Partial<Record<FaultCause, Text>> = {
  reports_altered: {
    title: 'Reports of all websites arrive without their proof',
    cause:
      'A proxy or CDN in front of the server drops the query string of /api/serve/view, or serves an old tag.',
    next: 'Let it pass /api/serve/ unchanged, with the query string, and empty its cache.',
  },
  stored_answers: {
    title: 'Ad answers are stored and used again',
    cause:
      'A cache stores answers of /api/serve/ads, which carry Cache-Control: no-store. It is in front of the server if several websites have this, or a service worker on the one website that has it.',
    next: 'Turn caching off for /api/serve/ads, /api/serve/view and /api/serve/click in your proxy or CDN. The publisher of a website has been told.',
  },
  other_site: {
    title: 'Ad requests come from other addresses than the websites have',
    cause: 'The header Origin of nearly all ad requests names other websites than those of the ad zones.',
    next: 'Check that no proxy in front of the server changes the header Origin. The publishers have been told.',
  },
  ima_player: {
    title: 'Video players with Google’s IMA request nearly all ads',
    cause:
      'IMA requests ads from imasdk.googleapis.com, so the website of the player is not known and nothing counts.',
    next: 'The publishers have been told to use the code for Google IMA, which names the website.',
  },
  page_scripts: {
    title: 'A script on the pages of a website breaks the tag',
    cause:
      'Nearly all reports are of one website, and come without the proof of rendering, because a script on its pages, such as Prototype or MooTools, replaces built-in functions.',
    next: 'The publisher has been told. If the pages load the tag through a cache of yours, empty it.',
  },
  unreachable: {
    title: 'No ad request reaches the server',
    cause: 'Several websites that usually request ads made no request in the last full hour.',
    next: 'Check the DNS name, the certificate and the proxy of DELIVERY_URL from another network.',
  },
  private_address: {
    title: 'Visitors seem to have one private address',
    cause:
      'Reports come from a private address, such as the gateway of Docker, so all of these visitors count as one. Docker does this to IPv6 visitors if its network has no IPv6, and a proxy does it if it does not pass on X-Forwarded-For.',
    next: 'Give the network of Docker IPv6, or let the proxy use the network of the host. Let each proxy pass on X-Forwarded-For, and name it in TRUSTED_PROXIES. See “Behind a proxy” in docs/install.md.',
  },
  one_network: {
    title: 'Nearly all reports come from one network',
    cause:
      'A proxy or CDN in front of the server hides the addresses of visitors, so their reports reach the limits of one network.',
    next: 'Let it pass on X-Forwarded-For, and name it in TRUSTED_PROXIES. See “Behind a proxy” in docs/install.md.',
  },
  few_visitors: {
    title: 'A few visitors cause nearly all reports',
    cause: 'Nearly all views and clicks exceed the limits of a visitor or network.',
    next: 'If a proxy hides the addresses of visitors, name it in TRUSTED_PROXIES. Otherwise look for a load test or an attack in the proxy’s log.',
  },
  headers_removed: {
    title: 'Requests arrive without the headers of a browser',
    cause:
      'A CDN or firewall in front of the server removes or replaces headers that every browser sends: User-Agent, Origin, Accept-Language or Sec-Fetch-*.',
    next: 'Let it pass all headers of visitors on. With CloudFront, choose the origin request policy AllViewer for /api/serve/*. If nothing does this, programs send these requests.',
  },
  programs: {
    title: 'Nearly all reports come from programs',
    cause: 'Nearly all reports lack what the browser that they name would send.',
    next: 'Check that no proxy changes headers. Otherwise look for an attack in the proxy’s log.',
  },
  hidden_by_cdn: {
    title: 'Nearly all reports seem to come from data centers',
    cause:
      'Most likely a CDN in front of the server is not named in TRUSTED_PROXIES, so its address stands for all visitors.',
    next: 'Name its networks in TRUSTED_PROXIES, and let it pass on X-Forwarded-For. See “Behind a proxy” in docs/install.md.',
  },
  foreign_tokens: {
    title: 'Reports carry tokens that this installation did not sign',
    cause:
      'The servers sign with different secrets, an older secret was removed too early, another installation answers at DELIVERY_URL, or somebody forges reports.',
    next: 'Check that SESSION_SECRET is the same on all servers, and that DELIVERY_URL leads only to them.',
  },
  reason_only: {
    title: 'One reason refuses nearly all reports',
    cause: 'One reason refuses nearly all reports of all websites.',
    next: 'docs/measurement.md says when the reason applies.',
  },
};

/** The name of each fault where its figures are shown: that of its main reason. */
const KIND_NAMES: Record<FaultKind, string> = {
  no_proof: REASON_TEXTS.no_proof.name,
  repeated: 'Repeated or too late',
  limits: 'Beyond the limits of a visitor or network',
  wrong_site: REASON_TEXTS.wrong_site.name,
  bot: REASON_TEXTS.bot.name,
  not_a_browser: REASON_TEXTS.not_a_browser.name,
  data_center: REASON_TEXTS.data_center.name,
  forged: REASON_TEXTS.forged.name,
  wrong_format: REASON_TEXTS.wrong_format.name,
  not_rendered: REASON_TEXTS.not_rendered.name,
  too_fast: REASON_TEXTS.too_fast.name,
  silent: 'No ad requests',
};

export type FaultFigures = { kind: FaultKind; cause: FaultCause } & Pick<
  Dominance,
  'counted' | 'total' | 'refused'
>;

/** The text about a fault. `evidence` is a sentence with the figures of the hour. */
export type FaultText = Text & { evidence: string };

/**
 * Whether the publisher reads that the operator was told, because only the operator can mend the cause. The operator has to
 * be told then, also about one website.
 */
export function isForOperator(cause: FaultCause): boolean {
  return FOR_PUBLISHER[cause].next === OPERATOR_KNOWS;
}

export function faultText(reader: 'publisher' | 'operator', fault: FaultFigures): FaultText {
  const own = FOR_PUBLISHER[fault.cause];
  return { ...((reader === 'operator' && FOR_OPERATOR[fault.cause]) || own), evidence: evidenceOf(fault) };
}

function evidenceOf({ kind, counted, total, refused }: FaultFigures): string {
  const n = countText(total);
  if (kind === 'silent') return `The same hour of the day before had ${n} ad requests.`;
  const percent = Math.floor((refused / total) * 100);
  const what = counted === 'requests' ? 'ad requests' : 'views and clicks';
  return `${percent} % of ${n} ${what} within an hour didn’t count: “${KIND_NAMES[kind]}”.`;
}
