import { type DatabaseServer, startDatabaseServer } from './database-server';

declare global {
  var testDatabaseServer: DatabaseServer | undefined;
}

export default async function globalSetup(): Promise<void> {
  globalThis.testDatabaseServer = await startDatabaseServer();
  // The workers are children of this process and read it there.
  process.env['TEST_DATABASE_SERVER_URL'] = globalThis.testDatabaseServer.url;
}
