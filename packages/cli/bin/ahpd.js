#!/usr/bin/env node
import '../dist/ahpd.js';
