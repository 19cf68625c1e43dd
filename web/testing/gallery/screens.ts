/** The screens of the gallery. */
import { both, buyer, type Screen, seller } from './states.ts';

const ID = '00000000-0000-4000-8000-000000000001';

export const SCREENS: readonly Screen[] = [
  { name: 'home of a seller', path: '/', as: seller },
  { name: 'home of a buyer', path: '/', as: buyer },
  { name: 'dashboard of a seller', path: '/dashboard', as: seller },
  { name: 'dashboard of a buyer', path: '/dashboard', as: buyer },
  { name: 'marketplace', path: '/marketplace', as: both },
  { name: 'create an ad', path: '/create-ad', as: buyer },
  { name: 'ad zones', path: '/ad-zones', as: seller },
  { name: 'campaign', path: `/campaigns/${ID}`, as: buyer },
  { name: 'earnings', path: '/earnings', as: seller },
  { name: 'results', path: '/results', as: both },
  { name: 'billing', path: '/billing', as: buyer },
  { name: 'transactions', path: '/transactions', as: buyer },
  { name: 'accounts', path: '/accounts', as: both },
  { name: 'checkout', path: `/checkout/${ID}`, as: buyer },
  { name: 'plans', path: '/plans', as: buyer },
  { name: 'plan', path: `/plans/${ID}`, as: buyer },
  { name: 'ledger', path: '/ledger/1', as: buyer },
  ...['profile', 'business', 'notifications', 'billing', 'members', 'security', 'privacy'].map((tab) => ({
    name: `settings, ${tab}`,
    path: `/settings?tab=${tab}`,
    as: both,
  })),
];
