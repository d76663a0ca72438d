// Made from openapi.json by npm run clients:types.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        DelegateRequest: {
            /**
             * @description Gets the energy
             * @example TWd4WrZ9wn84f5x1hZhL4DHvk738ns5jwb
             */
            receiver_address: string;
            /**
             * Format: double
             * @description Transactions whose energy is needed; fractions are allowed; past 40 digits rounded up
             * @example 1
             */
            amount: number;
            /**
             * @description Rental time in minutes. It changes no price, and the time of reclaim only where the operator says so; 10 when it is left out
             * @enum {integer|null}
             */
            time?: 10 | 1440 | null;
            /** @description Activate an inactive receiver for 1.5; not done when it is left out */
            activate_address?: boolean | null;
            /**
             * Format: double
             * @description An order that would cost more, activation included, is refused, with nothing held. Rounded to the nearest millionth
             */
            max_cost?: number | null;
        };
        DelegateResult: {
            /** @description Always true */
            success: boolean;
            /** @description Always 委托成功 */
            message: string;
            /** @description The delegation on the chain */
            txid: string;
            /**
             * Format: double
             * @description In variant B always, in variant A never: what is charged, 0 when quota pays
             */
            cost?: number;
        };
        /** @enum {string} */
        OrderState: "pending" | "activating" | "sent" | "included" | "delegated" | "reclaiming" | "reclaimed" | "failed" | "taking_back" | "taken_back";
        /**
         * @description What the caller was given
         * @enum {string}
         */
        OrderAnswer: "none" | "success" | "failure";
        /** @enum {string} */
        Payer: "subscription" | "balance";
        Order: {
            /** Format: uuid */
            id: string;
            state: components["schemas"]["OrderState"];
            /** @description What the caller was given */
            answer: components["schemas"]["OrderAnswer"];
            receiver_address: string;
            /**
             * Format: double
             * @description Transactions whose energy was asked for
             */
            amount: number;
            /**
             * Format: int64
             * @description Units of energy
             */
            energy: number;
            /**
             * @description Rental time in minutes, as asked for
             * @enum {integer}
             */
            time: 10 | 1440;
            /**
             * Format: double
             * @description What it costs, or cost: 0 for an order that failed
             */
            cost: number;
            paid_by: components["schemas"]["Payer"];
            /** @description The delegation */
            txid: string | null;
            /** @description Activates the receiver, where that was needed */
            activation_txid: string | null;
            /** @description What took the energy back */
            reclaim_txid: string | null;
            idempotency_key: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            answered_at: string | null;
            /**
             * Format: date-time
             * @description Time of its block
             */
            delegated_at: string | null;
            /** Format: date-time */
            reclaim_due_at: string | null;
            /** Format: date-time */
            reclaimed_at: string | null;
        };
        OrderPage: {
            /** @description Always true */
            success: boolean;
            data: components["schemas"]["Order"][];
            /**
             * Format: uuid
             * @description `before` of the next page; null at the end
             */
            next_before: string | null;
        };
        OrderResult: {
            /** @description Always true */
            success: boolean;
            data: components["schemas"]["Order"];
        };
        ReceiptBranchStep: {
            /**
             * @description Where the hash stands beside what was computed so far
             * @enum {string}
             */
            side: "left" | "right";
            hash: string;
        };
        ReceiptPostQuantumSignature: {
            /** @description FN_DSA_512, or one that `receipt:verify` names and does not verify */
            scheme: string;
            /** @description The last 20 bytes of its Keccak-256, after 41, are the signing address */
            public_key: string;
            /** @description Signature of the bytes' SHA-256 */
            signature: string;
        };
        /** @description With `signature` or `pq_auth_sig` */
        ReceiptHeader: {
            /** @description protocol.BlockHeader.raw */
            bytes: string;
            /** @description The witness's signature of the bytes' SHA-256: r, s and v, which is 0 or 1 */
            signature?: string;
            /** @description From a witness with a post-quantum key */
            pq_auth_sig?: components["schemas"]["ReceiptPostQuantumSignature"];
        };
        ReceiptWitness: {
            address: string;
            /** @description Active: makes blocks */
            isJobs: boolean;
            /** @description Address of the key that it signs blocks with */
            signing_address: string;
        };
        Receipt: {
            txid: string;
            receiver_address: string;
            /**
             * Format: double
             * @description TRX whose energy was delegated
             */
            stake: number;
            /** Format: int64 */
            block_number: number;
            block_id: string;
            /** Format: date-time */
            block_time: string;
            /** @description protocol.Transaction as the block has it, with signature and result */
            transaction: string;
            /** @description From the transaction's hash up to the block's root */
            branch: components["schemas"]["ReceiptBranchStep"][];
            /** @description Header of the block */
            header: components["schemas"]["ReceiptHeader"];
            /** @description Headers of the blocks above it until 19 of 27 witnesses have built on it */
            following: components["schemas"]["ReceiptHeader"][];
            /** @description The active ones of that time */
            witnesses: components["schemas"]["ReceiptWitness"][];
        };
        ReceiptResult: {
            /** @description Always true */
            success: boolean;
            data: components["schemas"]["Receipt"];
        };
        Token: {
            name: string;
            permissions: ("delegate" | "balance")[];
            /**
             * Format: date-time
             * @description null: never
             */
            expires_at: string | null;
            /**
             * Format: double
             * @description What its orders may cost together in a UTC day, by their list prices; null: no limit
             */
            daily_limit: number | null;
            /**
             * Format: double
             * @description The list prices of its orders of this UTC day, held or charged
             */
            used_today: number;
            /**
             * Format: double
             * @description The part of the daily limit that is left; null: no limit
             */
            remaining_today: number | null;
            /**
             * Format: double
             * @description What each order may cost; null: no limit
             */
            max_cost: number | null;
            /** @description The only addresses it may order for and look up; null: all */
            receivers: string[] | null;
            /** @description The only networks it may be used from; null: all */
            ips: string[] | null;
            /** @description Calls a minute, of all tokens of the account together */
            rate_limit_per_minute: number;
        };
        TokenResult: {
            /** @description Always true */
            success: boolean;
            data: components["schemas"]["Token"];
        };
        Balance: {
            /**
             * Format: double
             * @description What can be spent: the balance less holds
             */
            balance: number;
            /**
             * Format: date-time
             * @description When it last changed
             */
            updated_at: string;
        };
        BalanceResult: {
            /** @description Always true */
            success: boolean;
            data: components["schemas"]["Balance"];
        };
        /** @enum {string} */
        DepositAsset: "TRX" | "USDT";
        DepositAddress: {
            /** @description The caller's own, for ever */
            address: string;
            /**
             * Format: double
             * @description TRX; less is not credited
             */
            minimum: number;
            /**
             * Format: double
             * @description USDT; less is not credited
             */
            minimum_usdt: number;
            /**
             * Format: double
             * @description Null: USDT waits for an operator
             */
            trx_per_usdt: number | null;
            assets: components["schemas"]["DepositAsset"][];
        };
        DepositAddressResult: {
            /** @description Always true */
            success: boolean;
            data: components["schemas"]["DepositAddress"];
        };
        /** @enum {string} */
        DepositState: "seen" | "credited" | "too_small" | "waiting" | "dropped";
        Deposit: {
            /** Format: uuid */
            id: string;
            /** @description Null: a contract paid it, and an operator has credited it */
            txid: string | null;
            /** @description Which of the transaction's transfers */
            index: number | null;
            /** @description Where it came in */
            address: string;
            asset: components["schemas"]["DepositAsset"];
            /**
             * Format: double
             * @description In units of the asset
             */
            amount: number;
            /**
             * Format: double
             * @description TRX that the balance grew by
             */
            credited: number | null;
            /**
             * Format: double
             * @description TRX for a USDT, as it was when the block was made
             */
            rate: number | null;
            state: components["schemas"]["DepositState"];
            /** @description Blocks since, its own among them */
            confirmations: number;
            /** Format: date-time */
            seen_at: string;
            /** Format: date-time */
            credited_at: string | null;
        };
        DepositPage: {
            /** @description Always true */
            success: boolean;
            data: components["schemas"]["Deposit"][];
        };
        QuotedTransfer: {
            /**
             * Format: int64
             * @description Energy that the transfer takes, the penalty included
             */
            energy: number;
            /**
             * Format: int64
             * @description What of it is due to the token being used so much
             */
            penalty: number;
            /** @description Whether the node says that the transfer would succeed now */
            succeeds: boolean;
        };
        Quote: {
            receiver_address: string;
            /** @description The receiver exists on chain */
            activated: boolean;
            /** @description The receiver is a contract, to which nothing can be delegated */
            contract: boolean;
            /**
             * Format: int64
             * @description Energy that the receiver could use now
             */
            energy_available: number;
            /**
             * Format: int64
             * @description Energy of an order of this amount; at most 9223372036854775807, which no wallet has
             */
            energy: number;
            /**
             * Format: double
             * @description Transactions to order, in thousandths; 0 when nothing is missing
             */
            amount: number;
            /**
             * Format: double
             * @description What the order would be charged now, without the activation
             */
            cost: number;
            /**
             * Format: double
             * @description The charge on top for the activation of the receiver
             */
            activation_cost: number;
            /** @description null: neither would do */
            paid_by: components["schemas"]["Payer"] | null;
            /** @description Quota or balance covers it, the activation included, within the limits of the token */
            payable: boolean;
            /** @description One wallet could lend it now */
            available: boolean;
            /**
             * Format: double
             * @description The largest amount that one wallet could lend now
             */
            largest_amount: number;
            /**
             * Format: double
             * @description What the transfer would burn if nothing were ordered, at the chain's present price
             */
            burn_cost: number;
            /** @description Only with `to` */
            transfer?: components["schemas"]["QuotedTransfer"];
            /** Format: date-time */
            quoted_at: string;
        };
        QuoteResult: {
            /** @description Always true */
            success: boolean;
            data: components["schemas"]["Quote"];
        };
        Liveness: {
            /** @enum {string} */
            status: "ok";
        };
        ReadinessChecks: {
            /** @enum {string} */
            database: "ok" | "failed";
            /** @enum {string} */
            migrations: "ok" | "failed";
            /** @enum {string} */
            node: "ok" | "failed";
            /**
             * @description Where SIGNER_URL is set: whether the signer signs for a wallet, or one lends without it
             * @enum {string}
             */
            signer?: "ok" | "failed";
            /**
             * @description With deposits on: whether blocks of a pause are still to be read for them. Orders do not wait for that
             * @enum {string}
             */
            deposits?: "ok" | "behind";
        };
        Readiness: {
            /** @enum {string} */
            status: "ok" | "unavailable";
            checks: components["schemas"]["ReadinessChecks"];
            /** @description Why the chain or the database is not to be gone by */
            reason?: string;
        };
        /** @description The body of every failure. Its reason for programs is in X-Error-Code. */
        Error: {
            /** @description Always false */
            success: boolean;
            /** @description A fixed sentence of the contract */
            error: string;
            /** @description With status 400: what is wrong with each field, in English */
            details?: {
                [key: string]: string[];
            };
            /**
             * Format: double
             * @description On the delegate route in variant B: always 0, a failure is never charged
             */
            cost?: number;
        };
        /** @enum {string} */
        OrderEventType: "delegation.included" | "delegation.delegated" | "delegation.failed" | "delegation.reclaimed";
        /** @description What a webhook gets of an order */
        OrderEvent: {
            type: components["schemas"]["OrderEventType"];
            /**
             * Format: date-time
             * @description When it became true
             */
            timestamp: string;
            /** @description The order, as it was in the transaction that made the event true */
            data: components["schemas"]["Order"];
        };
        /** @enum {string} */
        DepositEventType: "deposit.seen" | "deposit.credited" | "deposit.waiting";
        /** @description What a webhook gets of a deposit */
        DepositEvent: {
            type: components["schemas"]["DepositEventType"];
            /**
             * Format: date-time
             * @description When it became true
             */
            timestamp: string;
            /** @description The deposit, as it was in the transaction that made the event true */
            data: components["schemas"]["Deposit"];
        };
        LowBalance: {
            /**
             * Format: double
             * @description What can be spent; less than 0 where more is held than there is
             */
            available: number;
            /** Format: double */
            threshold: number;
        };
        /** @description What a webhook gets when the balance is low */
        LowBalanceEvent: {
            /** @enum {string} */
            type: "balance.low";
            /**
             * Format: date-time
             * @description When it became true
             */
            timestamp: string;
            data: components["schemas"]["LowBalance"];
        };
        TestedWebhook: {
            /** Format: uuid */
            webhook_id: string;
        };
        /** @description What a webhook gets when its user asks for a test */
        TestEvent: {
            /** @enum {string} */
            type: "webhook.test";
            /**
             * Format: date-time
             * @description When it became true
             */
            timestamp: string;
            data: components["schemas"]["TestedWebhook"];
        };
        OrderFilter: {
            txid?: string;
            idempotency_key?: string;
            state?: components["schemas"]["OrderState"];
            receiver_address?: string;
            /**
             * Format: uuid
             * @description Orders older than this one
             */
            before?: string;
            /** @description 20 when it is left out */
            limit?: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
