/** The tables that the migrations create. Do not edit: add a migration, then run `npm run tool tables`. */
import type { ColumnType } from "kysely";

export type ArrayType<T> = ArrayTypeImpl<T> extends (infer U)[]
  ? U[]
  : ArrayTypeImpl<T>;

export type ArrayTypeImpl<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S[], I[], U[]>
  : T[];

export type Generated<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>;

export type Int8 = ColumnType<number>;

export type Json = JsonValue;

export type JsonArray = JsonValue[];

export type JsonObject = {
  [x: string]: JsonValue | undefined;
};

export type JsonPrimitive = boolean | number | string | null;

export type JsonValue = JsonArray | JsonObject | JsonPrimitive;

export type Numeric = ColumnType<string, number | string, number | string>;

export type Timestamp = ColumnType<Date, Date | string, Date | string>;

export interface AccountMembers {
  accountId: number;
  email: string | null;
  expiresAt: Timestamp | null;
  id: Generated<number>;
  invitedAt: Timestamp;
  invitedBy: number;
  joinedAt: Timestamp | null;
  role: "owner" | "editor" | "billing" | "read";
  roleChangedAt: Timestamp | null;
  tokenHash: Buffer | null;
  userId: number | null;
}

export interface AccountTies {
  accountId: number;
  userId: number;
}

export interface AdArchive {
  adId: number;
  advertiser: string;
  description: string;
  endedAt: Timestamp | null;
  startedAt: Timestamp;
  title: string;
  userId: number;
}

export interface AdDays {
  adId: number;
  beganAt: Timestamp;
  countsFrom: Timestamp;
  endedAt: Timestamp;
  isSilent: boolean;
  minViews: number;
}

export interface AdEarnings {
  adId: number;
  bought: Int8;
  closedAt: Timestamp | null;
  commissionCents: Generated<Int8>;
  dueAt: Timestamp | null;
  entries: Generated<number>;
  entryUnits: Generated<Int8>;
  publisherCents: Generated<Int8>;
  settledUnits: Int8 | null;
  takenCommissionCents: Generated<Int8>;
  takenPublisherCents: Generated<Int8>;
  units: Generated<Int8>;
  until: Timestamp;
}

export interface AdEvents {
  adId: number;
  countedAt: Timestamp;
  creative: number | null;
  decisionId: Buffer;
  issuedAt: Timestamp;
  issuedOn: string;
  kind: "view" | "click" | "rendered";
  reason: "prefetch" | "bot" | "wrong_site" | "too_fast" | "frequency" | "expired" | "forged" | "duplicate" | "not_live" | "over_goal" | "data_center" | "activity" | "not_a_browser" | "not_rendered" | "wrong_format" | "network_cap" | "browser_cap" | "ad_cap" | "publisher_cap" | "ceiling" | "withdrawn" | "no_proof" | "agent" | null;
  zoneId: number;
}

export interface AdPerformance {
  adId: number;
  clicks: Generated<number>;
  date: string;
  id: Generated<number>;
  impressions: Generated<number>;
}

export interface AdReports {
  adId: number;
  closedAt: Timestamp | null;
  createdAt: Timestamp;
  details: Generated<string>;
  email: string | null;
  id: string;
  reason: "illegal" | "misleading" | "harmful" | "offensive" | "rights" | "other";
  variantId: number | null;
}

export interface Ads {
  adType: "text" | "image" | "video";
  advertiserPausedAt: Timestamp | null;
  adZoneId: number;
  answerDueAt: Timestamp | null;
  approvedAt: Timestamp | null;
  cancelAskedAt: Timestamp | null;
  chosenStart: string | null;
  clicks: number | null;
  commissionAmount: Numeric;
  commissionPercent: Generated<Numeric>;
  createdAt: Generated<Timestamp>;
  dayBeganAt: Timestamp | null;
  dayCountsFrom: Timestamp | null;
  description: string;
  disputedAt: Timestamp | null;
  duration: number | null;
  endDate: Timestamp | null;
  endedReason: "delivered" | "canceled" | "taken_down" | "tag_silent" | "quota_unfinished" | "publisher_suspended" | "fraud_warning" | "operator" | "target_refused" | null;
  id: Generated<number>;
  imageUrl: string | null;
  impressions: number | null;
  measuresLandings: Generated<boolean>;
  minDayViews: number | null;
  paymentIntentId: string | null;
  planId: number | null;
  pricingModel: "per_day" | "per_impression" | "per_click";
  productId: number | null;
  publicId: Generated<string>;
  quantity: Generated<number>;
  rejectionReason: string | null;
  remindAt: Timestamp | null;
  resumedAt: Timestamp | null;
  reviewSince: Generated<Timestamp>;
  silenceToldAt: Timestamp | null;
  silentDays: Generated<number>;
  startDate: Timestamp | null;
  status: Generated<"pending" | "approved" | "rejected" | "active" | "completed">;
  suspendedAt: Timestamp | null;
  suspendedReason: string | null;
  tagSilentSince: Timestamp | null;
  takenDownReason: string | null;
  targeting: Json | null;
  targetPausedAt: Timestamp | null;
  targetPausedFor: "changed" | "listed" | "not_public" | null;
  targetUrl: string;
  title: string;
  totalAmount: Numeric;
  totalClicks: Generated<number>;
  totalImpressions: Generated<number>;
  updatedAt: Generated<Timestamp>;
  userId: number;
  version: Generated<number>;
  videoUrl: string | null;
  withdrawnAt: Timestamp | null;
}

export interface AdUnreportedClicks {
  adId: number;
  date: string;
  n: number;
}

export interface AdVariants {
  adId: number;
  approvedHost: string | null;
  checkDueAt: Timestamp | null;
  checkedAt: Timestamp | null;
  createdAt: Timestamp;
  decidedAt: Timestamp | null;
  description: string;
  elsewhereSince: Timestamp | null;
  finalHost: string | null;
  id: Generated<number>;
  imageUrl: string | null;
  number: number;
  publicId: Generated<string>;
  rejectionReason: string | null;
  removedAt: Timestamp | null;
  removedFor: "advertiser" | "changed" | "listed" | "not_public" | null;
  status: Generated<"pending" | "approved" | "rejected" | "removed">;
  targetUrl: string;
  title: string;
  videoUrl: string | null;
}

export interface AdvertiserPauses {
  adId: number;
  beganAt: Timestamp;
  endedAt: Timestamp | null;
  id: Generated<number>;
  until: Timestamp | null;
}

export interface AdZoneProducts {
  adType: "text" | "image" | "video";
  adZoneId: number;
  clicks: number | null;
  createdAt: Generated<Timestamp>;
  duration: number | null;
  id: Generated<number>;
  impressions: number | null;
  isActive: Generated<boolean>;
  maxQuantity: Generated<number>;
  minQuantity: Generated<number>;
  price: Numeric;
  pricingModel: Generated<"per_day" | "per_impression" | "per_click">;
  step: Generated<number>;
  volumePrices: Generated<Json>;
}

export interface AdZones {
  accent: string | null;
  blockedDays: Generated<string[]>;
  createdAt: Generated<Timestamp>;
  deletedAt: Timestamp | null;
  excludes: Json | null;
  height: number;
  houseDescription: string | null;
  houseTitle: string | null;
  houseUrl: string | null;
  id: Generated<number>;
  isActive: Generated<boolean>;
  look: Generated<"plain" | "card">;
  name: string;
  pausedAt: Timestamp | null;
  publicId: Generated<string>;
  slots: number | null;
  suspendedAt: Timestamp | null;
  suspendedReason: string | null;
  tagSeenAt: Timestamp | null;
  updatedAt: Generated<Timestamp>;
  websiteId: number;
  width: number;
  zoneType: "banner" | "rectangle" | "skyscraper" | "custom";
}

export interface AlarmMails {
  cause: string;
  day: string;
}

export interface Announcements {
  endedAt: Timestamp | null;
  id: Generated<number>;
  madeAt: Timestamp;
  madeBy: number | null;
  mailedThrough: number | null;
  text: string;
  until: Timestamp | null;
}

export interface Appeals {
  actId: number;
  answer: string | null;
  body: string;
  createdAt: Timestamp;
  decidedAt: Timestamp | null;
  outcome: "upheld" | "reversed" | null;
}

export interface AppliedFiles {
  appliedAt: Generated<Timestamp>;
  hash: string;
  name: string;
}

export interface ArchivedDays {
  bytes: Generated<Int8>;
  day: string;
  differences: Generated<number>;
  digest: Generated<string>;
  droppedParts: Generated<number>;
  droppedRows: Generated<Int8>;
  elsewhere: Generated<Json>;
  error: string | null;
  firstDifference: string | null;
  parts: Generated<number>;
  place: string;
  rows: Generated<Int8>;
  triedAt: Timestamp;
}

export interface Backups {
  backup: string | null;
  bytes: Int8 | null;
  error: string | null;
  id: Generated<number>;
  place: string;
  release: string;
  seconds: Numeric | null;
  startedAt: Timestamp;
  verifiedAt: Timestamp | null;
  verifyError: string | null;
}

export interface BankAccounts {
  createdAt: Timestamp;
  holder: string;
  iban: Buffer;
  id: Generated<number>;
  last4: string;
  userId: number;
}

export interface BankFiles {
  amountCents: Int8;
  book: "stripe-live" | "stripe-test" | "sandbox";
  content: Buffer;
  id: Generated<number>;
  madeAt: Timestamp;
  messageId: string;
}

export interface BankLines {
  bookedAt: Timestamp;
  kind: "paid" | "returned";
  payoutId: number;
  readAt: Timestamp;
  ref: string;
}

export interface BankPayouts {
  bankAccountId: number;
  endToEndId: string;
  fileId: number | null;
  payoutId: number;
}

export interface BlockedAdvertisers {
  advertiserId: number;
  createdAt: Generated<Timestamp>;
  id: Generated<number>;
  userId: number;
}

export interface BookedDays {
  adId: number;
  day: string;
  slot: number;
  takenAt: Timestamp;
  zoneId: number;
}

export interface BrandFiles {
  bytes: Buffer;
  createdAt: Timestamp;
  name: string;
}

export interface CampaignWeeks {
  mailedAt: Timestamp | null;
  mailedThrough: Generated<number>;
  week: string;
}

export interface Cancels {
  createdAt: Timestamp;
  feeCents: Int8;
  id: Generated<number>;
  keptCommissionCents: Generated<Int8>;
  keptPublisherCents: Generated<Int8>;
  network: string | null;
  paymentId: number;
  refundCents: Int8;
  remindedAt: Timestamp | null;
  state: "waiting" | "done" | "refused";
}

export interface CardAttempts {
  card: string | null;
  createdAt: Timestamp;
  eventId: string | null;
  id: Generated<number>;
  network: string | null;
  userId: number;
}

export interface ClosedMonths {
  closedAt: Timestamp;
  commissionUntil: Timestamp | null;
  documentedAt: Timestamp | null;
  mailedAt: Timestamp | null;
  mailedThrough: Generated<number>;
  month: string;
}

export interface ClosingParties {
  email: string | null;
  party: Json;
  report: Json | null;
  taxStatus: Json;
  userId: number;
}

export interface ConsentAds {
  adId: number;
  amountCents: Int8;
  attempts: Generated<number>;
  changedAt: Timestamp;
  consentId: number;
  id: Generated<number>;
  nextTryAt: Timestamp;
  paymentId: number | null;
  state: Generated<"waiting" | "charging" | "paid" | "needs_action" | "failed" | "withdrawn">;
}

export interface ConversionKeys {
  createdAt: Generated<Timestamp>;
  keyHash: Buffer;
  userId: number;
}

export interface Conversions {
  adId: number;
  convertedAt: Timestamp;
  creative: number | null;
  decisionId: Buffer | null;
  id: Generated<Int8>;
  isProven: Generated<boolean>;
  orderHash: Buffer | null;
  userId: number;
  valueCents: number | null;
  zoneId: number;
}

export interface CountedHours {
  adId: number | null;
  hour: Timestamp | null;
  kind: string | null;
  n: Int8 | null;
  zoneId: number | null;
}

export interface CreativeCounts {
  adId: number;
  creative: number;
  kind: "view" | "click" | "landing";
  n: Int8;
}

export interface DeliveryChanges {
  changedAt: Generated<Timestamp>;
  xid: Generated<string>;
  zoneId: number;
}

export interface DeliveryFaults {
  beganAt: Timestamp;
  cause: "page_scripts" | "reports_altered" | "stored_answers" | "ima_player" | "other_site" | "tag_gone" | "tag_stopped" | "unreachable" | "private_address" | "one_network" | "few_visitors" | "headers_removed" | "programs" | "hidden_by_cdn" | "data_centers" | "foreign_tokens" | "reason_only";
  counted: "reports" | "requests";
  endedAt: Timestamp | null;
  expectedAt: Timestamp | null;
  id: Generated<number>;
  kind: "no_proof" | "repeated" | "limits" | "wrong_site" | "bot" | "not_a_browser" | "data_center" | "forged" | "wrong_format" | "not_rendered" | "too_fast" | "silent";
  refused: Int8;
  seenAt: Timestamp;
  toldAt: Timestamp | null;
  total: Int8;
  websiteId: number | null;
}

export interface DeliveryHourly {
  adId: number | null;
  hour: Timestamp;
  kind: "decision" | "excluded" | "view" | "click" | "rendered" | "vote_rendered" | "vote_viewable" | "vote_judged";
  n: Int8;
  reason: Generated<"" | "prefetch" | "bot" | "wrong_site" | "too_fast" | "frequency" | "expired" | "forged" | "duplicate" | "not_live" | "over_goal" | "data_center" | "activity" | "not_a_browser" | "not_rendered" | "wrong_format" | "network_cap" | "browser_cap" | "ad_cap" | "publisher_cap" | "ceiling" | "withdrawn" | "no_proof" | "agent">;
  zoneId: number | null;
}

export interface Differences {
  amountCents: Int8;
  book: "stripe-live" | "stripe-test" | "sandbox";
  currency: string;
  kind: string;
  ref: string;
  since: Timestamp;
}

export interface Disputes {
  absorbedCents: Generated<Int8>;
  amountCents: Int8;
  borneCents: Generated<Int8>;
  closedAt: Timestamp | null;
  currency: "USD" | "EUR" | "GBP" | "CAD" | "AUD";
  disputeId: string;
  dueAt: Timestamp | null;
  evidence: Json | null;
  evidenceAt: Timestamp | null;
  evidenceError: string | null;
  evidenceKey: string | null;
  evidenceNextAt: Timestamp | null;
  evidenceState: Generated<"none" | "staged" | "sending" | "sent">;
  id: Generated<number>;
  lostAt: Timestamp | null;
  lostCommissionCents: Generated<Int8>;
  lostPublisherCents: Generated<Int8>;
  openedAt: Timestamp;
  paymentId: number;
  reason: Generated<string>;
  recoveredAt: Timestamp | null;
  status: string;
  updatedAt: Generated<Timestamp>;
}

export interface Documents {
  amountCents: Int8;
  book: "stripe-live" | "stripe-test" | "sandbox";
  content: Json;
  currency: "USD" | "EUR" | "GBP" | "CAD" | "AUD";
  customer: Json;
  disputeId: number | null;
  id: Generated<number>;
  issuedAt: Timestamp;
  issuedOn: string | null;
  kind: "receipt" | "credit_note" | "commission_note" | "statement" | "self_billing";
  month: string | null;
  number: Generated<string>;
  paymentId: number | null;
  refundId: number | null;
  salt: Generated<Buffer>;
  seller: Json;
  serial: Generated<number>;
  side: "buyer" | "publisher" | null;
  taxCents: Int8 | null;
  taxCountry: string | null;
  taxRate: number | null;
  taxReason: string | null;
  taxSentence: string | null;
  userId: number;
  year: Generated<number>;
}

export interface DocumentSeries {
  book: "stripe-live" | "stripe-test" | "sandbox";
  kind: "receipt" | "credit_note" | "commission_note" | "statement" | "self_billing";
  last: number;
  lastOn: string | null;
  year: number;
}

export interface DocumentsUnlogged {
  documentId: number;
}

export interface EarnedHours {
  adId: number;
  commissionCents: Int8;
  hour: Timestamp;
  publisherCents: Int8;
}

export interface EmailChanges {
  closedAt: Timestamp | null;
  createdAt: Generated<Timestamp>;
  expiresAt: Timestamp;
  id: Generated<number>;
  linkHash: Buffer | null;
  oldEmail: string;
  userId: number;
}

export interface EmailVerifications {
  code: string | null;
  createdAt: Generated<Timestamp>;
  email: string;
  expiresAt: Timestamp;
  id: Generated<number>;
  isUsed: Generated<boolean>;
  linkExpiresAt: Timestamp;
  linkHash: Buffer | null;
  purpose: Generated<"verify" | "reset">;
  tries: Generated<number>;
}

export interface EventPartitions {
  isOnly: Generated<boolean>;
  partitions: number;
}

export interface HandedEvents {
  content: string;
  id: Generated<Int8>;
  partition: number;
  refused: string | null;
}

export interface Holds {
  adId: number | null;
  earnedBeforeCents: Generated<Int8>;
  externalRef: string | null;
  id: Generated<number>;
  madeAt: Timestamp;
  reason: "unverified_site" | "same_person" | "dispute" | "fraud_warning" | "traffic" | "operator" | "payout_change";
  releasedAt: Timestamp | null;
  until: Timestamp | null;
  userId: number;
}

export interface Installation {
  book: string | null;
  clockAheadMs: Generated<Int8>;
  currency: "USD" | "EUR" | "GBP" | "CAD" | "AUD" | null;
  id: Generated<string>;
  onlyRow: Generated<boolean>;
}

export interface JobHours {
  hour: Timestamp;
  name: string;
}

export interface JudgedHours {
  adId: number | null;
  counts: boolean | null;
  hour: Timestamp | null;
  kind: string | null;
  n: Int8 | null;
  reason: string | null;
  zoneId: number | null;
}

export interface KeptDays {
  book: "stripe-live" | "stripe-test" | "sandbox";
  currency: string;
  day: string;
  keptCents: Int8;
}

export interface KeptEvents {
  adId: number | null;
  countedAt: Timestamp | null;
  creative: number | null;
  decisionId: Buffer | null;
  issuedAt: Timestamp | null;
  issuedOn: string | null;
  kind: string | null;
  reason: string | null;
  zoneId: number | null;
}

export interface KnownActs {
  name: string;
}

export interface KnownActSubjects {
  name: string;
}

export interface KnownDevices {
  deviceHash: Buffer;
  lastUsedAt: Timestamp;
  userId: number;
}

export interface LandingHours {
  adId: number;
  clicks: number;
  hour: Timestamp;
  landings: number;
  zoneId: number;
}

export interface LedgerAccounts {
  book: "stripe-live" | "stripe-test" | "sandbox";
  currency: "USD" | "EUR" | "GBP" | "CAD" | "AUD";
  id: Generated<number>;
  kind: "provider_clearing" | "provider_balance" | "bank" | "dispute_receivable" | "publisher_receivable" | "deferred_publisher" | "deferred_commission" | "publisher_payable" | "refund_payable" | "commission" | "waived_earnings" | "processing_fees" | "dispute_fees" | "dispute_losses" | "bad_debt" | "fx" | "suspense" | "tax_payable" | "input_tax" | "tax_deferred" | "cancel_fees" | "goodwill";
  ownerId: number | null;
  pseudonym: Generated<string>;
}

export interface LedgerBalances {
  accountId: number;
  amountCents: Int8;
}

export interface LedgerLeaves {
  accountId: number | null;
  actId: number | null;
  book: "stripe-live" | "stripe-test" | "sandbox";
  documentId: number | null;
  index: Int8;
  txId: number | null;
}

export interface LedgerMonths {
  accountId: number;
  amountCents: Int8;
  firstTx: number;
  lastTx: number;
  month: string;
}

export interface LedgerNodes {
  book: string;
  hash: Buffer;
  index: Int8;
  level: number;
}

export interface LedgerOpenings {
  balances: Json;
  book: "stripe-live" | "stripe-test" | "sandbox";
  day: string;
  lastTx: number;
  monthsHash: Buffer;
  signature: Buffer;
  sizes: Json;
}

export interface LedgerPostings {
  accountId: number;
  amountCents: Int8;
  salt: Generated<Buffer>;
  txId: number;
}

export interface LedgerRoots {
  book: "stripe-live" | "stripe-test" | "sandbox";
  currency: "USD" | "EUR" | "GBP" | "CAD" | "AUD";
  day: string;
  heldCents: Int8;
  owedCents: Int8;
  publicKey: Buffer;
  publicUrl: string;
  root: Buffer;
  signature: Buffer;
  signedAt: Timestamp;
  size: Int8;
}

export interface LedgerTx {
  adId: number | null;
  externalRef: string;
  id: Generated<number>;
  kind: string;
  meta: Generated<Json>;
  occurredAt: Timestamp;
  recordedAt: Generated<Timestamp>;
  xact: string | null;
}

export interface LedgerUnlogged {
  accountId: number;
  txId: number;
}

export interface MailBounces {
  at: Timestamp;
  kind: "hard" | "soft";
  recipient: string;
}

export interface MarketMeasurements {
  height: number;
  high: number;
  likely: number;
  low: number;
  measuredOn: string;
  traffic: string;
  websites: number;
  width: number;
}

export interface MeasuredClicks {
  adId: number;
  clickedAt: Timestamp;
  counted: boolean | null;
  creative: number | null;
  decisionId: Buffer;
  issuedOn: string;
  landedAt: Timestamp | null;
  zoneId: number;
}

export interface MediaLibrary {
  filename: string;
  fileSize: number;
  id: Generated<number>;
  imagePath: string;
  isDeleted: Generated<boolean>;
  uploadedAt: Generated<Timestamp>;
  userId: number;
}

export interface Messages {
  attempts: Generated<number>;
  bodyHtml: string;
  bodyText: string;
  claimedAt: Timestamp | null;
  createdAt: Generated<Timestamp>;
  heldUntil: Timestamp | null;
  id: Generated<number>;
  kept: Generated<boolean>;
  kind: string;
  lastError: string | null;
  mailbox: string;
  mergedInto: number | null;
  offSwitch: "emailNotifications" | "campaignUpdates" | "paymentAlerts" | null;
  recipient: string;
  sentAt: Timestamp | null;
  subject: string;
  suppressed: Generated<boolean>;
}

export interface NetHours {
  adId: number | null;
  hour: Timestamp | null;
  kind: string | null;
  n: Int8 | null;
  zoneId: number | null;
}

export interface NoticeSubjects {
  adId: number | null;
  advertiserCampaignUpdates: boolean | null;
  advertiserEmail: string | null;
  advertiserEmailNotifications: boolean | null;
  advertiserExists: boolean | null;
  advertiserPaymentAlerts: boolean | null;
  commissionAmount: Numeric | null;
  publicId: string | null;
  publisherCampaignUpdates: boolean | null;
  publisherEmail: string | null;
  publisherEmailNotifications: boolean | null;
  publisherExists: boolean | null;
  publisherPaymentAlerts: boolean | null;
  title: string | null;
  totalAmount: Numeric | null;
  websiteName: string | null;
  zoneName: string | null;
}

export interface OfferPauses {
  beganAt: Timestamp;
  endedAt: Timestamp;
  id: Generated<Int8>;
  subject: "zone" | "website" | "person";
  subjectId: number;
}

export interface OpenslotRelease {
  compatibleFrom: string;
  isOnly: Generated<boolean>;
  release: string;
}

export interface OperatorActs {
  act: "add-operator" | "announce" | "ask-website" | "carry-out-cancel" | "change-tax-table" | "check-keys" | "confirm-test-mail" | "debt-paid" | "decide-ownership" | "decline-request" | "dismiss-reports" | "drop-job" | "end-announcement" | "end-sessions" | "expect-fault" | "hide-website" | "hold" | "invite-operator" | "make-bank-file" | "note-bank-paid" | "note-bank-returned" | "overrule-withdrawal" | "pay-refund" | "pay-tax" | "publish-page" | "read-document" | "read-person" | "refund" | "refund-tax" | "refuse-cancel" | "refuse-claim" | "release" | "release-cancel" | "release-outbound" | "remove-operator" | "remove-page" | "request-add-operator" | "request-refund" | "request-remove-operator" | "request-set-operator-role" | "request-write-off" | "resend-mail" | "reset-second-factor" | "restore" | "retry-job" | "retry-refund" | "reverse" | "revoke-invitation" | "save-page" | "send-evidence" | "send-test-mail" | "set-commission" | "set-operator-role" | "set-setting" | "settle-suspense" | "show-website" | "suspend" | "take-down" | "unset-setting" | "uphold" | "view-as" | "write-off";
  actedAt: Timestamp;
  affectedId: number | null;
  id: Generated<number>;
  keyHash: Buffer | null;
  operatorId: number | null;
  publicId: Generated<string>;
  reason: string;
  salt: Generated<Buffer>;
  subject: "ad" | "announcement" | "bank_file" | "document" | "fault" | "invitation" | "job" | "mail" | "page" | "person" | "setting" | "tax" | "website" | "zone";
  subjectId: number;
  subjectName: Generated<string>;
}

export interface OperatorActsUnlogged {
  actId: number;
}

export interface OperatorInvitations {
  email: string | null;
  endedAt: Timestamp | null;
  expiresAt: Timestamp;
  id: Generated<number>;
  invitedAt: Timestamp;
  invitedBy: number | null;
  reason: string;
  role: string;
  tokenHash: Buffer;
}

export interface OperatorRequests {
  amountCents: Int8 | null;
  decidedAt: Timestamp | null;
  decidedBy: number | null;
  expiresAt: Timestamp;
  id: Generated<number>;
  isEverything: Generated<boolean>;
  kind: "add-operator" | "remove-operator" | "set-operator-role" | "refund" | "write-off";
  outcome: "confirmed" | "declined" | "expired" | null;
  reason: string;
  requestedAt: Timestamp;
  requestedBy: number;
  role: "owner" | "money" | "moderation" | "support" | "read" | null;
  subjectId: number;
}

export interface Operators {
  addedAt: Timestamp;
  role: "owner" | "money" | "moderation" | "support" | "read";
  userId: number;
}

export interface Outbound {
  heldSince: Timestamp | null;
  isOnly: Generated<boolean>;
}

export interface OwnershipClaims {
  id: Generated<number>;
  openedAt: Timestamp;
  reason: string | null;
  refusedAt: Timestamp | null;
  websiteId: number;
}

export interface PackedEvents {
  adId: number;
  countedMs: number[];
  creative: number | null;
  decisionIds: ArrayType<Buffer>;
  issuedMs: number[];
  issuedOn: string;
  kind: string;
  reason: string | null;
  zoneId: number;
}

export interface PageVersions {
  key: string;
  savedAt: Timestamp;
  savedBy: number | null;
  text: string;
  version: number;
}

export interface PasskeyChallenges {
  challengeHash: Buffer;
  expiresAt: Timestamp;
  holderHash: Buffer;
  purpose: "add" | "sign-in" | "reauthenticate";
}

export interface Passkeys {
  counter: Int8;
  createdAt: Timestamp;
  credentialId: string;
  id: Generated<number>;
  lastUsedAt: Timestamp | null;
  name: string;
  publicKey: Buffer;
  transports: Generated<string[]>;
  userId: number;
}

export interface PayeeAccounts {
  accountId: string | null;
  book: "stripe-live" | "stripe-test" | "sandbox";
  country: string;
  createdAt: Generated<Timestamp>;
  destinations: Generated<string[]>;
  key: Generated<string>;
  method: Generated<"connect" | "bank">;
  requirements: Generated<Json>;
  state: Generated<"none" | "pending" | "restricted" | "ready">;
  syncedAt: Timestamp | null;
  userId: number;
}

export interface PaymentConsents {
  acceptedTerms: number | null;
  agreedText: string;
  book: "stripe-live" | "stripe-test" | "sandbox";
  cardBrand: string | null;
  cardExpMonth: number | null;
  cardExpYear: number | null;
  cardId: string | null;
  cardLast4: string | null;
  confirmedAt: Timestamp | null;
  createdAt: Timestamp;
  currency: "USD" | "EUR" | "GBP" | "CAD" | "AUD";
  customerId: string | null;
  forgottenAt: Timestamp | null;
  id: Generated<number>;
  key: Generated<string>;
  limitCents: Int8;
  network: string;
  setupId: string | null;
  state: Generated<"needs_card" | "active" | "withdrawn">;
  userId: number;
  withdrawnAt: Timestamp | null;
}

export interface Payments {
  acceptedTerms: number | null;
  adId: number;
  amountCents: Int8;
  book: "stripe-live" | "stripe-test" | "sandbox";
  card: string | null;
  chargeId: string | null;
  checks: Generated<number>;
  commissionCents: Int8;
  createdAt: Generated<Timestamp>;
  currency: "USD" | "EUR" | "GBP" | "CAD" | "AUD";
  customerId: string | null;
  feeCents: Generated<Int8>;
  id: Generated<number>;
  intentId: string | null;
  key: Generated<string>;
  network: string | null;
  nextCheckAt: Timestamp | null;
  paidAt: Timestamp | null;
  problem: "unreachable" | "unknown" | "not_as_agreed" | "error" | null;
  receiptFor: Json | null;
  receivedCents: Int8 | null;
  receivedCurrency: "USD" | "EUR" | "GBP" | "CAD" | "AUD" | null;
  status: Generated<"open" | "succeeded" | "canceled" | "orphaned" | "suspense">;
  taxAccountId: number | null;
  taxCents: Generated<Int8>;
  taxIdCheckId: number | null;
  taxOfBusiness: boolean | null;
  taxReason: "reverse_charge" | "not_taxed" | null;
  taxSentence: string | null;
  taxSplit: "net" | "gross" | null;
  updatedAt: Generated<Timestamp>;
  userId: number;
}

export interface Payouts {
  accountId: string;
  amountCents: Int8;
  book: "stripe-live" | "stripe-test" | "sandbox";
  createdAt: Timestamp;
  currency: "USD" | "EUR" | "GBP" | "CAD" | "AUD";
  id: Generated<number>;
  requestedBy: "schedule" | "publisher";
  status: Generated<"open" | "closed">;
  userId: number;
}

export interface PayoutTransfers {
  adId: number | null;
  amountCents: Int8;
  attempts: Generated<number>;
  bankMessage: string | null;
  bankPayoutId: string | null;
  bankStatus: "pending" | "paid" | "failed" | null;
  beganAt: Timestamp;
  chargeId: string | null;
  error: string | null;
  id: Generated<number>;
  key: Generated<string>;
  lookAt: Timestamp | null;
  payoutId: number;
  providerId: string | null;
  reversedCents: Generated<Int8>;
  state: Generated<"trying" | "sent" | "refused">;
}

export interface PayoutWeeks {
  book: "stripe-live" | "stripe-test" | "sandbox";
  userId: number;
  week: Timestamp;
}

export interface PlacementReports {
  boxHeight: number;
  boxWidth: number;
  boxX: number;
  boxY: number;
  id: Buffer;
  inViewMs: number;
  pageHeight: number;
  pageWidth: number;
  path: string | null;
  reportedAt: Timestamp;
  screenHeight: number;
  screenWidth: number;
  zoneId: number;
}

export interface Plans {
  bodyHash: Buffer;
  createdAt: Generated<Timestamp>;
  id: Generated<number>;
  name: string;
  publicId: Generated<string>;
  requestId: string;
  userId: number;
}

export interface ProviderCustomers {
  book: "stripe-live" | "stripe-test" | "sandbox";
  createdAt: Timestamp;
  customerId: string | null;
  key: Generated<string>;
  userId: number;
}

export interface ProviderEvents {
  createdAt: Timestamp;
  doneAt: Timestamp | null;
  id: string;
  lastError: string | null;
  nextTryAt: Timestamp | null;
  payload: Json;
  receivedAt: Generated<Timestamp>;
  source: "account" | "connect";
  tries: Generated<number>;
  type: string;
}

export interface ProviderPolls {
  book: "stripe-live" | "stripe-test" | "sandbox";
  nextPollAt: Timestamp;
  polledUntil: Timestamp;
}

export interface ProviderTransactions {
  agrees: Generated<boolean>;
  amountCents: Int8;
  book: "stripe-live" | "stripe-test" | "sandbox";
  createdAt: Timestamp;
  currency: string;
  feeCents: Int8;
  id: string;
  ledgerTxId: number | null;
  netCents: Int8;
  seenAt: Timestamp;
  sourceId: string | null;
  type: string;
}

export interface PublishedPages {
  key: string;
  publishedAt: Timestamp;
  version: number;
}

export interface PublisherDays {
  clicks: Generated<number>;
  date: string;
  maxClicks: number | null;
  maxViews: number | null;
  userId: number;
  views: Generated<number>;
}

export interface PublisherWeeks {
  mailedAt: Timestamp | null;
  mailedThrough: Generated<number>;
  week: string;
}

export interface RateLimits {
  expire: Int8 | null;
  key: string;
  points: Generated<number>;
}

export interface Reconciliations {
  book: "stripe-live" | "stripe-test" | "sandbox";
  finishedAt: Timestamp;
}

export interface RecoveryCodes {
  codeHash: Buffer;
  usedAt: Timestamp | null;
  userId: number;
}

export interface RefundQuotes {
  adId: number;
  amountCents: Int8;
  quotedAt: Timestamp;
  units: Int8;
}

export interface Refunds {
  amountCents: Int8;
  attempts: Generated<number>;
  cause: "too_late" | "not_as_agreed" | "delivered" | "canceled" | "taken_down" | "tag_silent" | "quota_unfinished" | "publisher_suspended" | "fraud_warning" | "operator" | "target_refused";
  commissionCents: Int8;
  createdAt: Generated<Timestamp>;
  goodwillCents: Generated<Int8>;
  id: Generated<number>;
  lastError: string | null;
  lookAt: Timestamp | null;
  note: string | null;
  noteCents: Int8 | null;
  paidByHandAt: Timestamp | null;
  paymentId: number;
  publisherCents: Int8;
  ref: Generated<string>;
  settledBy: number | null;
  status: Generated<"owed" | "sent" | "done">;
  updatedAt: Generated<Timestamp>;
}

export interface RefundTries {
  askedAt: Timestamp | null;
  beganAt: Timestamp;
  error: string | null;
  key: Generated<string>;
  madeOutside: Generated<boolean>;
  paymentId: number;
  providerId: string | null;
  refundId: number;
  returnedBy: string | null;
  state: Generated<"trying" | "pending" | "succeeded" | "failed">;
  takenBy: string | null;
}

export interface RefusedFacts {
  hour: Timestamp;
  imaPlayer: number;
  n: number;
  privateAddress: number;
  reason: string;
  sameNetwork: number;
  strippedHeaders: number;
  zoneId: number;
}

export interface ReportLinks {
  adId: number | null;
  createdAt: Timestamp;
  expiresAt: Timestamp;
  id: Generated<number>;
  key: string;
  name: string | null;
  planId: number | null;
  revokedAt: Timestamp | null;
  userId: number;
}

export interface ReviewAnswers {
  answeredAt: Timestamp;
  id: Generated<number>;
  seconds: number;
  websiteId: number;
}

export interface SandboxObjects {
  createdAt: Generated<Timestamp>;
  data: Json;
  dueAt: Timestamp | null;
  id: string;
  idempotencyKey: string | null;
  kind: string;
  parent: string | null;
  updatedAt: Generated<Timestamp>;
}

export interface SecondFactors {
  confirmedAt: Timestamp | null;
  createdAt: Timestamp;
  lastStep: Generated<Int8>;
  secret: Buffer;
  userId: number;
}

export interface SecurityEvents {
  at: Timestamp;
  device: string | null;
  id: Generated<number>;
  kind: "signed-in" | "new-device" | "sign-in-failed" | "code-failed" | "locked-out" | "signed-out" | "session-ended" | "signed-out-everywhere" | "reauthenticated" | "reauthentication-failed" | "password-changed" | "password-reset" | "email-changed" | "email-verified" | "email-restored" | "role-changed" | "second-factor-on" | "second-factor-off" | "second-factor-failed" | "recovery-code-used" | "recovery-codes-replaced" | "passkey-added" | "passkey-removed" | "passkey-used" | "passkey-failed" | "passkey-copied" | "data-exported" | "payout-account-changed" | "payout-requested" | "billing-portal-opened" | "member-invited" | "member-joined" | "member-role-changed" | "member-removed" | "member-left";
  memberId: number | null;
  network: string | null;
  userId: number;
}

export interface Servers {
  environment: Generated<string[]>;
  release: string;
  secrets: Generated<string[]>;
  seen: Timestamp;
  server: string;
  startedAt: Generated<Timestamp>;
}

export interface Sessions {
  actingFor: number | null;
  confirmedAt: Timestamp | null;
  device: string | null;
  expire: Timestamp;
  lastUsedAt: Timestamp | null;
  publicId: Generated<string>;
  sess: Json;
  sid: string;
  startedAt: Timestamp | null;
  viewing: number | null;
  viewingUntil: Timestamp | null;
}

export interface Settings {
  changedAt: Timestamp;
  changedBy: number | null;
  name: string;
  value: string;
}

export interface SiteChecks {
  adsTxtProblem: string | null;
  checkedAt: Timestamp | null;
  dnsProblem: string | null;
  embedCodeProblem: string | null;
  failingSince: Timestamp | null;
  metaTagProblem: string | null;
  nextCheckAt: Timestamp | null;
  requestedAt: Timestamp;
  warnedAt: Timestamp | null;
  websiteId: number;
}

export interface SitePageViews {
  date: string;
  pageViews: number;
  websiteId: number;
}

export interface StoredBytes {
  bytes: Int8;
  onlyRow: Generated<boolean>;
}

export interface SuspenseDecisions {
  decidedAt: Timestamp;
  id: Generated<number>;
  outcome: "refunded" | "own_money" | "provider_fee" | "written_off";
  paymentId: number | null;
  txId: number | null;
}

export interface TagLoads {
  hour: Timestamp;
  n: Int8;
  zoneId: number;
}

export interface TagLooks {
  adId: number;
  lookAt: Timestamp;
}

export interface TargetChecks {
  adId: number;
  approvedHash: Buffer | null;
  approvedHost: string | null;
  checkedAt: Timestamp | null;
  contentHash: Buffer | null;
  domain: string | null;
  dueAt: Timestamp | null;
  elsewhereSince: Timestamp | null;
  finalHost: string | null;
  host: string;
  listedHost: string | null;
  problem: string | null;
}

export interface TaxAccounts {
  country: string;
  id: Generated<number>;
  rate: number;
}

export interface TaxIdChecks {
  answeredAt: Timestamp | null;
  askedAt: Timestamp;
  country: string;
  id: Generated<number>;
  nextTryAt: Timestamp | null;
  number: string;
  register: "vies" | "stand-in";
  requestId: string | null;
  result: "unconfirmed" | "confirmed" | "refused";
  tries: Generated<number>;
  userId: number;
}

export interface TaxTables {
  content: Json | null;
  id: Generated<number>;
  notedAt: Timestamp;
}

export interface ToldEnds {
  adId: number;
  toldAt: Timestamp;
}

export interface ToldPlacements {
  toldAt: Timestamp;
  zoneId: number;
}

export interface ToldWithdrawals {
  toldAt: Timestamp;
  userId: number;
  withdrawalId: number;
}

export interface TrafficClusters {
  adId: number;
  browser: number;
  delay: number;
  hour: Timestamp;
  kind: "view" | "click";
  n: number;
  network: number;
  withdrawn: Generated<number>;
  zoneId: number;
}

export interface TransferReversals {
  amountCents: Int8;
  attempts: Generated<number>;
  beganAt: Timestamp;
  error: string | null;
  id: Generated<number>;
  key: Generated<string>;
  lookAt: Timestamp | null;
  providerId: string | null;
  state: Generated<"trying" | "done" | "refused">;
  transferId: number;
}

export interface TrustedAdvertisers {
  createdAt: Generated<Timestamp>;
  host: string;
  id: Generated<number>;
  userId: number;
  websiteId: number;
}

export interface UncoveredMoney {
  amountCents: Int8;
  book: "stripe-live" | "stripe-test" | "sandbox";
  currency: string;
  measuredAt: Timestamp;
}

export interface UnmeasuredZones {
  zoneId: number;
}

export interface UnsettledAds {
  adId: number;
}

export interface UntrustedForwarding {
  peer: string;
  seenAt: Timestamp;
}

export interface UpdateFeed {
  feed: string;
  isOnly: Generated<boolean>;
  problem: string | null;
  readAt: Timestamp;
  url: string | null;
  version: string | null;
}

export interface Uploads {
  byteSize: number | null;
  checkedAt: Timestamp | null;
  contentType: "image/jpeg" | "image/png" | "image/gif" | "video/mp4" | null;
  createdAt: Generated<Timestamp>;
  durationMs: number | null;
  expiresAt: Timestamp;
  height: number | null;
  name: string;
  rendition: string | null;
  storedAt: Timestamp | null;
  userId: number;
  width: number | null;
}

export interface Users {
  acceptedTerms: number | null;
  acceptedTermsAt: Timestamp | null;
  commissionPercent: Numeric | null;
  createdAt: Generated<Timestamp>;
  deletedAt: Timestamp | null;
  email: string;
  firstName: string | null;
  hasCompletedOnboarding: Generated<boolean>;
  id: Generated<number>;
  isEmailVerified: Generated<boolean>;
  lastName: string | null;
  password: string;
  passwordResetCode: string | null;
  passwordResetExpires: Timestamp | null;
  profileImageUrl: string | null;
  role: Generated<"buyer" | "seller" | "both" | null>;
  stripeCustomerId: string | null;
  stripeSubscriptionId: string | null;
  suspendedAt: Timestamp | null;
  suspendedReason: string | null;
  updatedAt: Generated<Timestamp>;
  verificationCode: string | null;
  verificationCodeExpires: Timestamp | null;
}

export interface UserSettings {
  address: string | null;
  agreesToSelfBilling: Generated<boolean>;
  birthDate: string | null;
  businessName: string | null;
  campaignUpdates: Generated<boolean>;
  chargesTax: Generated<boolean>;
  country: string | null;
  createdAt: Generated<Timestamp>;
  currency: Generated<"USD" | "EUR" | "GBP" | "CAD" | "AUD">;
  description: string | null;
  emailNotifications: Generated<boolean>;
  id: Generated<number>;
  marketingEmails: Generated<boolean>;
  paymentAlerts: Generated<boolean>;
  registrationNumber: string | null;
  taxId: string | null;
  taxStatus: "private" | "small_business" | "business" | null;
  timezone: Generated<string>;
  updatedAt: Generated<Timestamp>;
  userId: number;
  website: string | null;
}

export interface WaitingList {
  changedAt: Timestamp;
  createdAt: Timestamp;
  endDay: string;
  id: Generated<number>;
  offeredUntil: Timestamp | null;
  productId: number | null;
  quantity: number;
  startDay: string;
  state: Generated<"waiting" | "offered" | "booked" | "expired">;
  userId: number;
  zoneId: number;
}

export interface WebhookRefusals {
  day: string;
  refused: Int8;
  source: "account" | "connect";
}

export interface WebsiteRanks {
  clickRate: number | null;
  lowestPrice: Int8 | null;
  name: string;
  offers: Generated<string[]>;
  pricePerThousand: Int8 | null;
  traffic: string;
  viewsPerDay: number | null;
  websiteId: number;
}

export interface Websites {
  archivedAt: Timestamp | null;
  audience: string | null;
  category: string;
  createdAt: Generated<Timestamp>;
  description: string | null;
  host: Generated<string | null>;
  id: Generated<number>;
  isActive: Generated<boolean>;
  isListed: Generated<boolean>;
  monthlyVisitors: Generated<number>;
  name: string;
  pausedAt: Timestamp | null;
  picture: string | null;
  publicId: Generated<string>;
  refusedDomains: Generated<string[]>;
  refusedSubjects: Generated<string[]>;
  refusedWords: Generated<string[]>;
  review: "waiting" | "hidden" | null;
  reviewSince: Timestamp | null;
  reviewText: string | null;
  shownName: Generated<string>;
  suspendedAt: Timestamp | null;
  suspendedReason: string | null;
  traffic: Generated<string>;
  updatedAt: Generated<Timestamp>;
  url: string;
  userId: number;
  verificationToken: Generated<string | null>;
  verifiedAt: Timestamp | null;
  vouchedAt: Timestamp | null;
}

export interface WholeChecks {
  checkedAt: Timestamp | null;
  differences: Generated<number>;
  dueAt: Timestamp;
  error: string | null;
  firstDifference: string | null;
  isOnly: Generated<boolean>;
  postings: Int8 | null;
  seconds: number | null;
}

export interface Withdrawals {
  fromHour: Timestamp;
  id: Generated<number>;
  madeAt: Timestamp;
  madeBy: string | null;
  overrules: number | null;
  reason: string | null;
  signals: Generated<Json>;
  untilHour: Timestamp;
  zoneId: number;
}

export interface WithdrawnHours {
  adId: number;
  hour: Timestamp;
  kind: "view" | "click";
  n: Int8;
  withdrawalId: number;
  zoneId: number;
}

export interface ZoneAgents {
  clicks: Int8;
  day: string;
  name: string;
  requests: Int8;
  views: Int8;
  zoneId: number;
}

export interface ZoneAudiences {
  fact: string;
  n: Int8;
  value: string;
  week: string;
  zoneId: number;
}

export interface ZoneMeasurements {
  clicks: Int8;
  days: number;
  high: number;
  invalid: Int8;
  judged: Int8;
  likely: number;
  low: number;
  measuredOn: string;
  rendered: Int8;
  viewable: Int8;
  views: Int8;
  zoneId: number;
}

export interface ZoneSightings {
  adId: number | null;
  afterMs: number | null;
  asked: string | null;
  decision: string | null;
  id: Generated<Int8>;
  isTest: boolean;
  kind: "script" | "unknown" | "request" | "rendered" | "view" | "click";
  origin: string | null;
  reason: string | null;
  seenAt: Timestamp;
  zoneId: number;
}

export interface ZoneWatches {
  until: Timestamp;
  zoneId: number;
}

export interface DB {
  accountMembers: AccountMembers;
  accountTies: AccountTies;
  adArchive: AdArchive;
  adDays: AdDays;
  adEarnings: AdEarnings;
  adEvents: AdEvents;
  adPerformance: AdPerformance;
  adReports: AdReports;
  ads: Ads;
  adUnreportedClicks: AdUnreportedClicks;
  adVariants: AdVariants;
  advertiserPauses: AdvertiserPauses;
  adZoneProducts: AdZoneProducts;
  adZones: AdZones;
  alarmMails: AlarmMails;
  announcements: Announcements;
  appeals: Appeals;
  appliedFiles: AppliedFiles;
  archivedDays: ArchivedDays;
  backups: Backups;
  bankAccounts: BankAccounts;
  bankFiles: BankFiles;
  bankLines: BankLines;
  bankPayouts: BankPayouts;
  blockedAdvertisers: BlockedAdvertisers;
  bookedDays: BookedDays;
  brandFiles: BrandFiles;
  campaignWeeks: CampaignWeeks;
  cancels: Cancels;
  cardAttempts: CardAttempts;
  closedMonths: ClosedMonths;
  closingParties: ClosingParties;
  consentAds: ConsentAds;
  conversionKeys: ConversionKeys;
  conversions: Conversions;
  countedHours: CountedHours;
  creativeCounts: CreativeCounts;
  deliveryChanges: DeliveryChanges;
  deliveryFaults: DeliveryFaults;
  deliveryHourly: DeliveryHourly;
  differences: Differences;
  disputes: Disputes;
  documents: Documents;
  documentSeries: DocumentSeries;
  documentsUnlogged: DocumentsUnlogged;
  earnedHours: EarnedHours;
  emailChanges: EmailChanges;
  emailVerifications: EmailVerifications;
  eventPartitions: EventPartitions;
  handedEvents: HandedEvents;
  holds: Holds;
  installation: Installation;
  jobHours: JobHours;
  judgedHours: JudgedHours;
  keptDays: KeptDays;
  keptEvents: KeptEvents;
  knownActs: KnownActs;
  knownActSubjects: KnownActSubjects;
  knownDevices: KnownDevices;
  landingHours: LandingHours;
  ledgerAccounts: LedgerAccounts;
  ledgerBalances: LedgerBalances;
  ledgerLeaves: LedgerLeaves;
  ledgerMonths: LedgerMonths;
  ledgerNodes: LedgerNodes;
  ledgerOpenings: LedgerOpenings;
  ledgerPostings: LedgerPostings;
  ledgerRoots: LedgerRoots;
  ledgerTx: LedgerTx;
  ledgerUnlogged: LedgerUnlogged;
  mailBounces: MailBounces;
  marketMeasurements: MarketMeasurements;
  measuredClicks: MeasuredClicks;
  mediaLibrary: MediaLibrary;
  messages: Messages;
  netHours: NetHours;
  noticeSubjects: NoticeSubjects;
  offerPauses: OfferPauses;
  openslotRelease: OpenslotRelease;
  operatorActs: OperatorActs;
  operatorActsUnlogged: OperatorActsUnlogged;
  operatorInvitations: OperatorInvitations;
  operatorRequests: OperatorRequests;
  operators: Operators;
  outbound: Outbound;
  ownershipClaims: OwnershipClaims;
  packedEvents: PackedEvents;
  pageVersions: PageVersions;
  passkeyChallenges: PasskeyChallenges;
  passkeys: Passkeys;
  payeeAccounts: PayeeAccounts;
  paymentConsents: PaymentConsents;
  payments: Payments;
  payouts: Payouts;
  payoutTransfers: PayoutTransfers;
  payoutWeeks: PayoutWeeks;
  placementReports: PlacementReports;
  plans: Plans;
  providerCustomers: ProviderCustomers;
  providerEvents: ProviderEvents;
  providerPolls: ProviderPolls;
  providerTransactions: ProviderTransactions;
  publishedPages: PublishedPages;
  publisherDays: PublisherDays;
  publisherWeeks: PublisherWeeks;
  rateLimits: RateLimits;
  reconciliations: Reconciliations;
  recoveryCodes: RecoveryCodes;
  refundQuotes: RefundQuotes;
  refunds: Refunds;
  refundTries: RefundTries;
  refusedFacts: RefusedFacts;
  reportLinks: ReportLinks;
  reviewAnswers: ReviewAnswers;
  sandboxObjects: SandboxObjects;
  secondFactors: SecondFactors;
  securityEvents: SecurityEvents;
  servers: Servers;
  sessions: Sessions;
  settings: Settings;
  siteChecks: SiteChecks;
  sitePageViews: SitePageViews;
  storedBytes: StoredBytes;
  suspenseDecisions: SuspenseDecisions;
  tagLoads: TagLoads;
  tagLooks: TagLooks;
  targetChecks: TargetChecks;
  taxAccounts: TaxAccounts;
  taxIdChecks: TaxIdChecks;
  taxTables: TaxTables;
  toldEnds: ToldEnds;
  toldPlacements: ToldPlacements;
  toldWithdrawals: ToldWithdrawals;
  trafficClusters: TrafficClusters;
  transferReversals: TransferReversals;
  trustedAdvertisers: TrustedAdvertisers;
  uncoveredMoney: UncoveredMoney;
  unmeasuredZones: UnmeasuredZones;
  unsettledAds: UnsettledAds;
  untrustedForwarding: UntrustedForwarding;
  updateFeed: UpdateFeed;
  uploads: Uploads;
  users: Users;
  userSettings: UserSettings;
  waitingList: WaitingList;
  webhookRefusals: WebhookRefusals;
  websiteRanks: WebsiteRanks;
  websites: Websites;
  wholeChecks: WholeChecks;
  withdrawals: Withdrawals;
  withdrawnHours: WithdrawnHours;
  zoneAgents: ZoneAgents;
  zoneAudiences: ZoneAudiences;
  zoneMeasurements: ZoneMeasurements;
  zoneSightings: ZoneSightings;
  zoneWatches: ZoneWatches;
}
