import { Module } from '@nestjs/common';
import { UserRepository } from './user.repository';
import { UserService } from './user.service';

/** The people and programs that use the service. Passwords, sessions and tokens are in the room `auth`. */
@Module({ providers: [UserService, UserRepository], exports: [UserService, UserRepository] })
export class UsersModule {}
