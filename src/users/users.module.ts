import { Module } from '@nestjs/common';
import { UserListRepository } from './user-list.repository';
import { UserService } from './user.service';

/** The people and programs that use the service. How they prove who they are is the room `auth`. */
@Module({ providers: [UserService, UserListRepository], exports: [UserService, UserListRepository] })
export class UsersModule {}
