import pg from 'pg';
import { SimClient } from './sim-client';

// In the place of the package for src/database: the pool and its errors are the real ones, the connections are not.
export const { Pool, DatabaseError, TypeOverrides } = pg;
export const Client = SimClient;
