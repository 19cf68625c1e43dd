/** Runs before the files of component tests: the styles of the application, and a clean start for each test. */
import { afterEach, vi } from 'vitest';
import { restoreTranslatedTexts } from '#web/app/translated-texts.ts';
import { answerFetches, forgetAnswers } from './answers.ts';
import { closeScreen } from './screen.tsx';
import '#web/styles/main.css';

restoreTranslatedTexts();
answerFetches();

afterEach(() => {
  vi.useRealTimers();
  closeScreen();
  const faults = forgetAnswers();
  if (faults.length > 0) throw new Error(faults.join('\n'));
});
