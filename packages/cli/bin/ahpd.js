#!/usr/bin/env node
import '../bundle/ahpd.js';
