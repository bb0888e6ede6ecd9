export { createGatewayAudit, type GatewayAudit } from './audit/audit-postgres.js';
export type { Blobs } from './blobs/blobs.js';
export { filesBlobs } from './blobs/blobs-files.js';
export { type S3BlobsOptions, s3Blobs } from './blobs/blobs-s3.js';
export { connectNatsBus, type NatsBusOptions } from './bus-nats/index.js';
export type { Database, Queries, TransactionQueries, Value } from './database/database.js';
export { type Migration, migrate } from './database/migrate.js';
export { openPostgres, type PostgresOptions } from './database/postgres.js';
export { type FileKeeperOptions, serveFiles } from './files/file-keeper.js';
export { type FileShipper, type FileShipperOptions, startFileShipper } from './files/file-shipper.js';
export type { KeptObject } from './files/objects.js';
export { type Gateway, type GatewayOptions, startGateway } from './gateway/gateway.js';
export type { Retention } from './gateway/retention.js';
export { createFleetKeys, createHostKey, type FleetKeys, natsSettings } from './identity/fleet-keys.js';
export {
  authenticatorOf,
  ENROL_SUBJECT,
  enrolmentCredential,
  gatewayCredential,
  hostInbox,
  hostToken,
  type MemberCredential,
  systemCredential,
} from './identity/members.js';
export { publishRevocations } from './identity/revoke.js';
export { type HoldBackOptions, holdingBack } from './keeping/hold-back.js';
export { type Keeper, type KeeperOptions, startKeeper } from './keeping/keeper.js';
export { notifyingStore, type Shipper, type ShipperOptions, startShipper } from './keeping/shipper.js';
export { type Joined, type JoinOptions, joinFleet } from './member/join.js';
export { keepLease, LEASE_MS, type Lease, type LeaseOptions } from './member/lease.js';
export { type Adopter, type AdopterOptions, startAdopter } from './move/adopter.js';
export { type AskGateway, askGateway } from './move/ask-gateway.js';
export { type FoundLost, findLost, type GivingUpOptions, giveUp } from './move/given-up.js';
export { type MoveServerOptions, serveMoves } from './move/move-server.js';
export { type TakingOptions, takingSessions } from './move/take-session.js';
export { TakenFile } from './move/taken-file.js';
export { type Ticket, ticketFor } from './move/tickets.js';
export {
  type AccessToken,
  createRegistry,
  type EnrolRequest,
  type Invitation,
  type RegisteredHost,
  type Registry,
} from './registry/registry.js';
export { createFleetFolder, type FleetFolderOptions, readFleetKeys } from './setup/fleet-folder.js';
export { createPostgresFleetStore, type FleetStoreOptions } from './store/fleet-postgres.js';
export {
  FIRST_EPOCH,
  type FleetFiles,
  type FleetMoves,
  type FleetStore,
  type HostAppend,
  type KeptSession,
  type SessionCursor,
  type SessionPage,
  type SessionQuery,
  type Verdict,
} from './store/fleet-store.js';
export { FLEET_TABLES } from './tables.js';
