/** The program of a decoder process. */
import { answerJobs } from './answer-jobs.ts';
import { JOBS } from './jobs.ts';

await answerJobs(JOBS);
