/** The calls, pages and files that a marketplace has besides ads, by their rooms. */
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { routes as accessRoutes } from '#server/people/access/end-access.ts';
import { watchFirstAccount } from '#server/people/accounts/email/register.ts';
import { accountPages, routes as accountRoutes } from '#server/people/accounts/routes.ts';
import { registerUnsubscribePages } from '#server/people/accounts/email/unsubscribe-pages.ts';
import { registerCalendarFiles } from '#server/ads/calendar-file.ts';
import { routes as adRoutes } from '#server/ads/routes.ts';
import { routes as variantRoutes } from '#server/ads/variants/routes.ts';
import { routes as analyticsRoutes } from '#server/results/analytics/routes.ts';
import { registerBrandFiles } from '#server/market/catalogue/brand-files.ts';
import { registerCatalogue } from '#server/market/catalogue/pages.ts';
import { routes as catalogueRoutes } from '#server/market/catalogue/routes.ts';
import { registerSitemaps } from '#server/market/catalogue/sitemaps.ts';
import type { Secrets } from '#server/platform/settings/environment.ts';
import type { Context } from '#server/platform/context.ts';
import type { Clock } from '#server/platform/database/clock.ts';
import type { AdServer } from '#server/delivery/ad-server.ts';
import { registerMeasurementPage } from '#server/delivery/explain/measurement-page.ts';
import { deliveryRoutes } from '#server/delivery/routes.ts';
import { registerBrowserTokens } from '#server/platform/http/browser/browser-token.ts';
import { compressAnswers } from '#server/platform/http/fastify/compression.ts';
import { allowStripeAtCheckout } from '#server/platform/http/fastify/content-policy.ts';
import { registerDevRooms } from '#server/platform/http/browser/dev-rooms.ts';
import { registerDevices } from '#server/platform/http/browser/devices.ts';
import {
  refuseChangesInView,
  refuseCrossSiteCalls,
  refusePagesOfAnotherUser,
} from '#server/platform/http/guard.ts';
import { type HealthParts, registerHealth } from '#server/platform/http/health.ts';
import { type Call, describe, registerOpenApi } from '#server/platform/http/openapi.ts';
import { bindRoutes, type Route } from '#server/platform/http/route.ts';
import { registerSessions } from '#server/platform/http/sessions.ts';
import { serveAssets } from '#server/platform/http/web-app/assets.ts';
import { pageSettings, serveWebApp } from '#server/platform/http/web-app/web-app.ts';
import { registerGallery, serveWebSource } from '#server/platform/http/web-app/web-source.ts';
import { registerWellKnown } from '#server/platform/http/web-app/well-known.ts';
import { registerSitePictures } from '#server/market/inventory/websites/picture-files.ts';
import { routes as inventoryRoutes } from '#server/market/inventory/routes.ts';
import { registerFiles } from '#server/platform/media/files.ts';
import { routes as mediaRoutes } from '#server/platform/media/routes.ts';
import { routes as memberRoutes } from '#server/people/members/routes.ts';
import { registerBounces } from '#server/notify/bounces.ts';
import { registerDevMail } from '#server/notify/dev-mail.ts';
import { admitOperator } from '#server/operator/admit.ts';
import { registerDecisionPages } from '#server/operator/console/decision-pages.ts';
import { registerConsolePages } from '#server/operator/console/document.ts';
import { registerConsoleFiles } from '#server/operator/console/files.ts';
import { registerInvitationPages } from '#server/operator/console/invitation-pages.ts';
import { consoleRoutes } from '#server/operator/console/routes.ts';
import { forgetInvitations, invitationsTo } from '#server/operator/invitations/invitations.ts';
import { routes as operatorRoutes, ownActs } from '#server/operator/people/trail.ts';
import { viewRoutes } from '#server/operator/people/view-as.ts';
import { registerWrittenPages } from '#server/platform/pages/pages.ts';
import { paymentPages, paymentRoutes } from '#server/money/routes.ts';
import { routes as planRoutes } from '#server/market/plans/routes.ts';
import { privacyRoutes } from '#server/people/privacy/routes.ts';
import { announceClock, registerRehearsal } from '#server/operator/rehearsal/register.ts';
import { registerReports } from '#server/results/report-links/pages.ts';
import { routes as reportLinkRoutes } from '#server/results/report-links/routes.ts';
import { registerTransparencyPages } from '#server/market/transparency/pages.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** The calls of every room, in the order of the OpenAPI document. A new room adds its routes here. */
export function allRoutes(ctx: Context, adServer: AdServer): Route[] {
  return [
    ...accessRoutes,
    ...accountRoutes,
    ...memberRoutes,
    ...planRoutes,
    ...privacyRoutes({ ownActs, invitationsTo, forgetInvitations }),
    ...operatorRoutes,
    ...viewRoutes,
    ...consoleRoutes,
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
  registerConsoleFiles,
  registerConsolePages,
  registerDecisionPages,
  registerInvitationPages,
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
    refuseChangesInView(app);
    refusePagesOfAnotherUser(app);
    registerDevices(app, config);
    registerBrowserTokens(app, config);
    announceClock(app, ctx);
    registerHealth(app, health);
    bindRoutes(app, ctx, routes, admitOperator);
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
