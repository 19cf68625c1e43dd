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
  /** The server's message if it can be shown to a user, or null, for which `messageOf` uses its fallback. */
  readonly spoken: string | null;
  /** The validation errors, one per field. */
  readonly issues: readonly Issue[];
  /** The parsed JSON of the answer, or its text. */
  readonly body: unknown;
  /** True when the Unauthorized toast has told the user, so that no other toast is needed. */
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

/** The text to show to the user: the server's message, the lack of a connection, or else the fallback. */
export function messageOf(error: unknown, fallback: string): string {
  if (error instanceof NetworkError) return NO_ANSWER;
  return (error instanceof RequestError && error.spoken) || fallback;
}

const NO_ANSWER = 'We couldn’t reach the server. Check your connection and try again.';

/** There was no answer: the device is offline, the server is down, or the connection was interrupted. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';

  constructor(cause?: unknown) {
    super('The server did not answer', { cause });
  }
}

type Answer = { status: number; statusText: string; text: string; url: string; loading: boolean };

/**
 * Reads a non-OK answer by the specification's rules. The message is the JSON's `message`, else the raw text, the
 * status text, or 'Request failed'. If data was being loaded, the status code precedes it. An HTML page, such as a
 * proxy's error page, counts as no text. [ERR-05, ERR-06, OP-109]
 */
export function requestErrorFrom({ status, statusText, text, url, loading }: Answer): RequestError {
  const body = parseJson(text);
  const fromJson = isRecord(body) && typeof body.message === 'string' ? body.message : '';
  const raw = looksLikeHtml(text) ? '' : text.trim();
  const usable = fromJson || raw || statusText;
  // Don't show JSON without a message, or the status text of a 5xx, to the user.
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

/** Answers of `/api/auth/…` never mean a lost session, because a wrong password is a 401 as well. [OP-027] */
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
