export type Issue = { path: string; message: string };

type Details = {
  status: number;
  message: string;
  spoken: string | null;
  issues: readonly Issue[];
  body: unknown;
  announced: boolean;
};

/** A non-OK answer of the server. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly status: number;
  /** The server's own words for a person, if it had any; `messageOf` falls back when it is null. */
  readonly spoken: string | null;
  /** What is wrong, per field. */
  readonly issues: readonly Issue[];
  /** The parsed JSON of the answer, or its text. */
  readonly body: unknown;
  /** The user has been told already (the Unauthorized toast), so nobody else needs to. */
  readonly announced: boolean;

  constructor(details: Details) {
    super(details.message);
    this.status = details.status;
    this.spoken = details.spoken;
    this.issues = details.issues;
    this.body = details.body;
    this.announced = details.announced;
  }
}

/** The text for a person: the server's words, else the fallback. */
export function messageOf(error: unknown, fallback: string): string {
  return (error instanceof RequestError && error.spoken) || fallback;
}

/** No answer at all: the machine is offline, the server is down, or the request was cut. */
export function isNetworkError(error: unknown): boolean {
  return error instanceof TypeError;
}

type Answer = { status: number; statusText: string; text: string; url: string; loading: boolean };

/**
 * Reads a non-OK answer by the specification's rules (ERR-05 to ERR-09, OP-109). The message is JSON's `message`,
 * else the raw text, the status text, or 'Request failed'; when data was being loaded it is preceded by the status.
 * A page of HTML is nothing to show, and counts as no text.
 */
export function requestErrorFrom({ status, statusText, text, url, loading }: Answer): RequestError {
  const body = parseJson(text);
  const fromJson = isRecord(body) && typeof body.message === 'string' ? body.message : '';
  const raw = looksLikeHtml(text) ? '' : text.trim();
  const usable = fromJson || raw || statusText;
  // Bare JSON without a message, and a 5xx status text, say nothing to a person.
  const spoken =
    fromJson || (body === undefined ? raw : '') || (status < 500 && raw === '' ? statusText : '');
  return new RequestError({
    status,
    message: loading ? loadingMessage(status, fromJson || raw, statusText) : usable || 'Request failed',
    spoken: spoken || null,
    issues: isRecord(body) ? issuesOf(body.issues) : [],
    body: body ?? text,
    announced: isSessionLost(status, url),
  });
}

/** Answers of `/api/auth/…` never mean a lost session: a wrong password is a 401, too (OP-027). */
function isSessionLost(status: number, url: string): boolean {
  return status === 401 && !url.startsWith('/api/auth/');
}

function loadingMessage(status: number, words: string, statusText: string): string {
  return words || statusText ? `${status}: ${words || statusText}` : `${status}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function looksLikeHtml(text: string): boolean {
  return /^\s*</.test(text);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function issuesOf(value: unknown): Issue[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((issue: unknown) =>
    isRecord(issue) && typeof issue.message === 'string'
      ? [
          {
            path: Array.isArray(issue.path)
              ? issue.path.join('.')
              : typeof issue.path === 'string'
                ? issue.path
                : '',
            message: issue.message,
          },
        ]
      : [],
  );
}
