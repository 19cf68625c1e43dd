type Answered = { status: number; statusText: string; headers: [string, string][]; text: string };

/**
 * Sends a GET whose answer may well be a 401 that is no error. Browsers log every failed request of a page as an error
 * on its console, and offer no way to say that one is expected. They don't log those of a worker. [LITE-1]
 */
export async function fetchQuietly(url: string): Promise<Response> {
  const worker = new Worker(new URL('./asking-worker.ts', import.meta.url), { type: 'module', name: url });
  try {
    return await new Promise((resolve, reject) => {
      const fail = () => reject(new TypeError('Failed to fetch'));
      worker.addEventListener('error', fail);
      worker.addEventListener('message', ({ data }: MessageEvent<Answered | null>) =>
        data ? resolve(new Response(data.text, data)) : fail(),
      );
    });
  } finally {
    worker.terminate();
  }
}
