/**
 * The script of the console's page 'Confirm that it’s you': it shows the button for a passkey, and makes the same two
 * calls as the web application. It is the only script of the console, and the page works without it where a code is
 * possible.
 */
export const PASSKEY_SCRIPT = `(() => {
  const button = document.getElementById('passkey');
  const problem = document.getElementById('passkey-problem');
  const say = (text) => { problem.textContent = text; problem.hidden = false; };
  if (!window.PublicKeyCredential?.parseRequestOptionsFromJSON || !PublicKeyCredential.prototype.toJSON) {
    say('This browser can’t use passkeys here. Sign out, then sign in again with your passkey.');
    return;
  }
  const call = async (path, body) => {
    const answer = await fetch(path, {
      method: 'POST',
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const read = await answer.json();
    if (!answer.ok) throw new Error(read.message);
    return read;
  };
  button.hidden = false;
  button.addEventListener('click', async () => {
    button.disabled = true;
    problem.hidden = true;
    try {
      const options = await call('/api/user/reauthenticate/passkey/options');
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
      const credential = (await navigator.credentials.get({ publicKey })).toJSON();
      await call('/api/user/reauthenticate/passkey', { credential });
      location.assign(button.dataset.to);
    } catch (error) {
      say(error instanceof DOMException ? 'No passkey was used. Try again.' : error.message);
      button.disabled = false;
    }
  });
})();`;
