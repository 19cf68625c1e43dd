/** Every act about people, content, operators and settings, in a browser. */
import { CONTENT_SETS } from '../server/testing/acts/every-act.ts';
import { describeActs } from './support/every-act.ts';

// Proves OPER-04
describeActs('an owner does each act about people, content, operators and settings', CONTENT_SETS);
