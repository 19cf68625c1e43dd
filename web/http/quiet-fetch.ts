type Answered = { status: number; statusText: string; headers: [string, string][]; text: string };

/**
 * Sends a GET for which a 401 is an expected answer. Browsers log each failed request of a page as an error on the
 * console, but not those of a worker. [LITE-1]
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
