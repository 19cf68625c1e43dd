/** Every act about money, tax and the start of a marketplace, in a browser. */
import { MONEY_SETS } from '../server/testing/acts/every-act.ts';
import { describeActs } from './support/every-act.ts';

// Proves OPER-04
describeActs('an owner does each act about money, tax and the start of a marketplace', MONEY_SETS);
