/**
 * Reads from a User-Agent the claims that the rules for requests, the velocity caps and the limits of ads need. [IVT-01, IVT-04]
 */
import type { Device } from '#domain/targeting/limits.ts';

const NAMES = ['chrome', 'edge', 'opera', 'samsung', 'webview', 'firefox', 'safari', 'other'] as const;
const PLATFORMS = ['windows', 'mac', 'ios', 'android', 'other'] as const;
type Platform = (typeof PLATFORMS)[number];
export type Engine = 'chromium' | 'gecko' | 'webkit';

export type UserAgent = {
  name: (typeof NAMES)[number];
  platform: Platform;
  /** Null for a browser with another engine. */
  engine: Engine | null;
  /** Major times 100 plus minor, so that Safari 16.4 is 1604; null if the text does not tell. */
  version: number | null;
  mobile: boolean;
  /** The class of device; null if the text names none, as those of televisions. */
  device: Device | null;
  /** The brand that Sec-CH-UA must contain, such as '"Chromium";v="150"'; null if no brand is known. */
  brand: string | null;
  /** A second brand that Sec-CH-UA must contain. */
  ownBrand: string | null;
  /**
   * The kind of browser: its name and platform, as a small number. There are only 40 kinds, so a client that invents
   * names or versions does not get a new kind.
   */
  kind: number;
};

export function readUserAgent(text: string): UserAgent {
  const platform = platformOf(text);
  const found = browserOf(text, platform);
  const mobile = /\bMobile\b/.test(text);
  return {
    ...found,
    platform,
    mobile,
    device: deviceOf(text, platform, mobile),
    kind: NAMES.indexOf(found.name) * PLATFORMS.length + PLATFORMS.indexOf(platform),
  };
}

function platformOf(text: string): Platform {
  if (/\((?:iPhone|iPad|iPod)/.test(text)) return 'ios';
  if (text.includes('Android')) return 'android';
  if (text.includes('Windows NT')) return 'windows';
  return text.includes('Macintosh') ? 'mac' : 'other';
}

function deviceOf(text: string, platform: Platform, mobile: boolean): Device | null {
  if (/\bTV\b|SmartTV|BRAVIA|\bAFT[A-Z]|Web0S|Tizen/i.test(text)) return null;
  if (platform === 'ios') return text.includes('(iPad') ? 'tablet' : 'phone';
  if (mobile) return 'phone';
  if (platform === 'android') return 'tablet';
  return platform !== 'other' || /X11|CrOS|Linux/.test(text) ? 'desktop' : null;
}

function browserOf(
  text: string,
  platform: Platform,
): Pick<UserAgent, 'name' | 'engine' | 'version' | 'brand' | 'ownBrand'> {
  const number = (pattern: RegExp): number | null => {
    const found = pattern.exec(text);
    return found ? Number(found[1]) * 100 + Math.min(99, Number(found[2] ?? 0)) : null;
  };
  const none = { brand: null, ownBrand: null };
  if (platform === 'ios') {
    // All browsers on iOS use its WebKit. Newer versions freeze the system's number and tell their own as 'Version'.
    const version = Math.max(
      number(/ OS (\d{1,3})_(\d{1,3})/) ?? 0,
      number(/Version\/(\d{1,3})\.(\d{1,3})/) ?? 0,
    );
    const name = /CriOS\//.test(text)
      ? 'chrome'
      : /EdgiOS\//.test(text)
        ? 'edge'
        : /FxiOS\//.test(text)
          ? 'firefox'
          : /Version\/.* Safari\//.test(text)
            ? 'safari'
            : 'webview';
    return { ...none, name, engine: 'webkit', version };
  }
  const chromium = number(/Chrom(?:e|ium)\/(\d{1,3})\./);
  if (chromium !== null) {
    const brandOf = (brand: string, version: number | null) =>
      version === null ? null : `"${brand}";v="${Math.floor(version / 100)}"`;
    const edge = number(/Edg(?:A)?\/(\d{1,3})\./);
    const name = isWebView(text)
      ? 'webview'
      : edge !== null
        ? 'edge'
        : text.includes('SamsungBrowser/')
          ? 'samsung'
          : text.includes('OPR/')
            ? 'opera'
            : 'chrome';
    return {
      name,
      engine: 'chromium',
      version: chromium,
      brand: brandOf('Chromium', chromium),
      ownBrand: name === 'edge' ? brandOf('Microsoft Edge', edge) : null,
    };
  }
  const gecko = number(/Firefox\/(\d{1,3})\.(\d{1,3})/);
  if (gecko !== null) return { ...none, name: 'firefox', engine: 'gecko', version: gecko };
  if (/AppleWebKit\/.*\(KHTML, like Gecko\)/.test(text)) {
    // A web view on macOS does not tell a version.
    return { ...none, name: 'safari', engine: 'webkit', version: number(/Version\/(\d{1,3})\.(\d{1,3})/) };
  }
  return { ...none, name: 'other', engine: null, version: null };
}

/** Browsers in apps on Android. They are marked 'wv', 'Version/4.0', or by a text that the app has appended. */
function isWebView(text: string): boolean {
  if (!text.includes('Android')) return false;
  if (/; wv\)|Version\/4\.0 Chrome\//.test(text)) return true;
  return !/Safari\/537\.36(?: (?:EdgA|OPR)\/[\d.]+)?$/.test(text);
}
