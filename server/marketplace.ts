/** The calls, pages and files that a marketplace has besides ads, by their rooms. */
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { routes as accessRoutes } from './access/routes.ts';
import { watchFirstAccount } from './accounts/first-account.ts';
import { accountPages, routes as accountRoutes } from './accounts/routes.ts';
import { registerUnsubscribePages } from './accounts/unsubscribe-pages.ts';
import { registerCalendarFiles } from './ads/booking/calendar-file.ts';
import { routes as adRoutes } from './ads/routes.ts';
import { routes as variantRoutes } from './ads/variants/routes.ts';
import { routes as analyticsRoutes } from './analytics/routes.ts';
import { registerBrandFiles } from './catalogue/brand-files.ts';
import { registerCatalogue } from './catalogue/pages.ts';
import { routes as catalogueRoutes } from './catalogue/routes.ts';
import { registerSitemaps } from './catalogue/sitemaps.ts';
import type { Secrets } from './settings/environment.ts';
import type { Context } from './context.ts';
import type { Clock } from './db/clock.ts';
import type { AdServer } from './delivery/ad-server.ts';
import { registerMeasurementPage } from './delivery/explain/measurement-page.ts';
import { deliveryRoutes } from './delivery/routes.ts';
import { registerBrowserTokens } from './http/browser-token.ts';
import { compressAnswers } from './http/fastify/compression.ts';
import { allowStripeAtCheckout } from './http/content-policy.ts';
import { registerDevRooms } from './http/dev-rooms.ts';
import { registerDevices } from './http/devices.ts';
import { refuseCrossSiteCalls, refusePagesOfAnotherUser } from './http/guard.ts';
import { type HealthParts, registerHealth } from './http/health.ts';
import { type Call, describe, registerOpenApi } from './http/openapi.ts';
import { bindRoutes, type Route } from './http/route.ts';
import { registerSessions } from './http/sessions.ts';
import { serveAssets } from './http/web-app/assets.ts';
import { pageSettings } from './http/web-app/page-settings.ts';
import { serveWebApp } from './http/web-app/web-app.ts';
import { registerGallery, serveWebSource } from './http/web-app/web-source.ts';
import { registerWellKnown } from './http/web-app/well-known.ts';
import { registerSitePictures } from './inventory/picture-files.ts';
import { routes as inventoryRoutes } from './inventory/routes.ts';
import { registerFiles } from './media/files.ts';
import { routes as mediaRoutes } from './media/routes.ts';
import { routes as memberRoutes } from './members/routes.ts';
import { registerBounces } from './notifications/bounces.ts';
import { registerDevMail } from './notifications/dev-mail.ts';
import { registerConsole } from './operator/console/register.ts';
import { forgetInvitations, invitationsTo } from './operator/invitations/invitations.ts';
import { routes as operatorRoutes } from './operator/routes.ts';
import { ownActs } from './operator/trail.ts';
import { registerWrittenPages } from './pages/pages.ts';
import { paymentPages, paymentRoutes } from './payments/routes.ts';
import { routes as planRoutes } from './plans/routes.ts';
import { privacyRoutes } from './privacy/routes.ts';
import { announceClock, registerRehearsal } from './rehearsal/register.ts';
import { registerReports } from './report-links/pages.ts';
import { routes as reportLinkRoutes } from './report-links/routes.ts';
import { registerTransparencyPages } from './transparency/pages.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

/** The calls of every room, in the order of the OpenAPI document. A new room adds its routes here. */
export function allRoutes(ctx: Context, adServer: AdServer): Route[] {
  return [
    ...accessRoutes,
    ...accountRoutes,
    ...memberRoutes,
    ...planRoutes,
    ...privacyRoutes({ ownActs, invitationsTo, forgetInvitations }),
    ...operatorRoutes,
    ...inventoryRoutes,
    ...mediaRoutes,
    ...adRoutes,
    ...variantRoutes,
    ...paymentRoutes(ctx),
    ...analyticsRoutes,
    ...deliveryRoutes(adServer),
    ...catalogueRoutes,
    ...reportLinkRoutes,
  ];
}

type Register = (app: FastifyInstance, ctx: Context) => void;

/** Pages and files that read no session, because they are the same for everybody. */
const PUBLIC_PAGES: readonly Register[] = [
  registerCatalogue,
  registerBrandFiles,
  registerReports,
  registerWrittenPages,
];

/** The pages and files of every room, in the order of the OpenAPI document. A new room adds its own here. */
const PAGES: readonly Register[] = [
  accountPages,
  registerCalendarFiles,
  registerSitePictures,
  paymentPages,
  registerFiles,
  registerTransparencyPages,
  registerConsole,
  registerUnsubscribePages,
  registerBounces,
  registerMeasurementPage,
];

type MarketplaceParts = {
  sessionSecrets: Secrets;
  clock: Clock;
  routes: readonly Route[];
  /** The calls without an endpoint object, as far as they are registered. */
  calls: () => readonly Call[];
  health: HealthParts;
  webSource: boolean;
};

/** Registers everything for people. */
export async function registerMarketplace(
  fastify: FastifyInstance,
  ctx: Context,
  { sessionSecrets, clock, routes, calls, health, webSource }: MarketplaceParts,
): Promise<void> {
  const { config } = ctx;
  allowStripeAtCheckout(fastify, config);
  refuseCrossSiteCalls(fastify, config.publicUrl);
  const web = path.join(ROOT, 'dist/web');
  const sendSource = webSource ? await serveWebSource(fastify, ROOT) : null;
  serveAssets(fastify, web);
  await fastify.register(async (app) => {
    compressAnswers(app);
    for (const register of PUBLIC_PAGES) register(app, ctx);
  });
  // The sessions belong to this plugin, so that the files and pages above are served without one.
  await fastify.register(async (app) => {
    compressAnswers(app);
    await registerSessions(app, { ctx, secrets: sessionSecrets });
    refusePagesOfAnotherUser(app);
    registerDevices(app, config);
    registerBrowserTokens(app, config);
    announceClock(app, ctx);
    registerHealth(app, health);
    bindRoutes(app, ctx, routes);
    for (const register of PAGES) register(app, ctx);
    const hasAccounts = watchFirstAccount(ctx.db);
    const settings = async () => pageSettings(ctx, await hasAccounts());
    registerDevRooms(app, config, (rooms) => {
      if (sendSource) registerGallery(rooms, sendSource, settings);
      registerDevMail(rooms, ctx);
      registerRehearsal(rooms, ctx, clock);
    });
    registerWellKnown(app, config, ctx.realNow);
    registerOpenApi(app, (name) => describe(routes, calls(), name));
    const ownPages = await serveWebApp(app, { root: web, sendSource, settings });
    registerSitemaps(app, ctx, ownPages);
  });
}
