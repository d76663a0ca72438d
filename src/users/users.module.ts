import { Module } from '@nestjs/common';
import { Mailboxes } from './mailboxes';
import { Newcomers } from './newcomers';
import { UserListRepository } from './user-list.repository';
import { UserPreferencesRepository } from './user-preferences.repository';
import { UserRepository } from './user.repository';
import { UserService } from './user.service';

const SERVICES = [UserService, UserRepository, UserListRepository, UserPreferencesRepository, Mailboxes, Newcomers];

/** The people and programs that use the service. How they prove who they are is the room `auth`. */
@Module({ providers: SERVICES, exports: SERVICES })
export class UsersModule {}
