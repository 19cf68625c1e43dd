/** Sends one GET to the address in this worker's name. See quiet-fetch.ts for the reason. */
void ask(self.name);

async function ask(url: string): Promise<void> {
  const answer = await fetch(url, { credentials: 'include' })
    .then(read)
    .catch(() => null);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's message has no target origin
  self.postMessage(answer);
}

async function read(answer: Response): Promise<object> {
  const { status, statusText, headers } = answer;
  return { status, statusText, headers: [...headers], text: await answer.text() };
}
