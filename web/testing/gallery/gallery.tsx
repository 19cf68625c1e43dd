/**
 * `/dev/gallery` of `npm run dev`: each screen, and each dialog, menu and toast, in the states that the tests look at. The
 * calls of the page are answered by the contracts, so nothing of it reaches the server.
 */
import { createRoot } from 'react-dom/client';
import { useTitle } from '#web/ui/title.ts';
import { restoreTranslatedTexts } from '#web/app/translated-texts.ts';
import { answerFetches } from '#web/testing/answers.ts';
import { openPage } from '#web/testing/screen.tsx';
import { LAYERS } from './layers.ts';
import { SCREENS } from './screens.ts';
import { answerAs, type Screen, type State, STATE_NAMES } from './states.ts';
import '#web/styles/main.css';

const PATH = '/dev/gallery';
const addressOf = (name: string, state: string) => `${PATH}?${new URLSearchParams({ name, state })}`;

restoreTranslatedTexts();
const wanted = new URLSearchParams(window.location.search);
const state = STATE_NAMES.find((name) => name === wanted.get('state'));
const chosen = [...SCREENS, ...LAYERS].find(({ name }) => name === wanted.get('name'));
if (chosen && state) await show(chosen, state);
else createRoot(document.getElementById('root')!).render(<Contents />);

async function show(screen: Screen & { open?: () => Promise<void> }, as: State): Promise<void> {
  document.getElementById('root')?.remove();
  answerFetches();
  answerAs(screen, as);
  await openPage(screen.path, { as: screen.as });
  const bar = document.createElement('div');
  document.body.append(bar);
  createRoot(bar).render(<Bar screen={screen} />);
  await screen.open?.();
}

/** The way to the other states of the screen. It lies over the page and can be put away. */
function Bar({ screen }: { screen: Screen }) {
  return (
    <details
      open
      className="fixed bottom-2 left-2 z-50 max-w-[calc(100vw-1rem)] rounded-card border border-line bg-surface p-2 text-xs"
    >
      <summary>{screen.name}</summary>
      <nav aria-label="Gallery" className="mt-1 flex flex-wrap gap-x-3 gap-y-1">
        <a href={PATH}>All screens</a>
        {STATE_NAMES.map((each) => (
          <a
            key={each}
            href={addressOf(screen.name, each)}
            aria-current={each === state || undefined}
            className="underline aria-[current]:font-semibold aria-[current]:no-underline"
          >
            {each}
          </a>
        ))}
      </nav>
    </details>
  );
}

function Contents() {
  useTitle('Gallery');
  return (
    <main className="mx-auto grid max-w-4xl gap-6 p-4">
      <h1 className="text-2xl font-semibold">Gallery</h1>
      <Group title="Screens" screens={SCREENS} />
      <Group title="Dialogs, menus and toasts" screens={LAYERS} />
    </main>
  );
}

function Group({ title, screens }: { title: string; screens: readonly Screen[] }) {
  return (
    <section aria-label={title} className="grid gap-2">
      <h2 className="text-lg font-semibold">{title}</h2>
      <ul className="grid gap-2">
        {screens.map((screen) => (
          <li key={screen.name}>
            <b className="font-medium">{screen.name}</b>
            <span className="flex flex-wrap gap-x-3 text-sm text-ink-faint">
              {STATE_NAMES.filter((each) => !screen.isStatic || each === 'one').map((each) => (
                <a key={each} href={addressOf(screen.name, each)} className="underline">
                  {each}
                </a>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
